// Schedules a task, a procedure or a scheduled command; without `when` it fires at once.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { weekdayEvenings } from './_schemas/tasks.ts'

const payload = object({
  task: { $ref: 'id', description: 'id of what `type` names' },
  name: { type: 'string', description: 'for people' },
  type: { enum: ['task', 'procedure', 'command'], description: 'command: one that `schedule/command` has stored' },
  'when?': { $ref: 'when' },
  'suspended?': { enum: [0, 1], description: '1: it does not fire' },
})

export default {
  summary: 'Create a schedule',
  group: 'Schedules',
  example: { task: '1', name: 'Every evening', type: 'task', when: weekdayEvenings },
  route: 'POST /schedule/create',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const { task, name, type, when, suspended = 0 } = payload
    const schedule = { task: Number(task), name, type, when, suspended }
    const id = await services.schedules.create(schedule, request)
    if (services.isRefusal(id)) return id
    request.created(id)
    await services.schedules.warn(id, when, request)
  },
} satisfies Command<typeof payload>
