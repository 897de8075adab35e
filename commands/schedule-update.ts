// Changes a schedule, which then belongs to a task; without `when` it fires at once.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id', 'task', 'name'],
  properties: {
    id: { $ref: 'id' },
    task: { $ref: 'id' },
    name: { type: 'string' },
    when: { $ref: 'whenChanged' },
    suspended: { enum: [0, 1] },
  },
} as const

export default {
  summary: 'Change a schedule',
  example: { id: '1', task: '1', name: 'Every morning' },
  route: 'POST /schedule/update',
  payload,
  async answer({ payload, services }) {
    const { id, task, name, when, suspended } = payload
    const change = { task: Number(task), name, when, ...(suspended !== undefined && { suspended }) }
    const existed = await services.schedules.update(Number(id), change)
    if (!existed) return services.refuse(`id: there is no schedule ${id}`)
  },
} satisfies Command<typeof payload>
