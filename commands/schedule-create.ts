// Schedules a task, a procedure or a scheduled command; without `when` it fires at once.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['task', 'name', 'type'],
  properties: {
    task: { $ref: 'id' },
    name: { type: 'string' },
    type: { enum: ['task', 'procedure', 'command'] },
    when: { $ref: 'when' },
    suspended: { enum: [0, 1] },
  },
} as const

export default {
  summary: 'Create a schedule',
  example: { task: '1', name: 'Every evening', type: 'task' },
  route: 'POST /schedule/create',
  payload,
  async answer({ payload, services, request }) {
    const { task, name, type, when, suspended = 0 } = payload
    request.created(await services.schedules.create({ task: Number(task), name, type, when, suspended }))
  },
} satisfies Command<typeof payload>
