// Schedules a task, a procedure or a scheduled command; without `when` it fires at once.
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { weekdayEvenings } from './_schemas/tasks.ts'

const payload = object({
  task: { $ref: 'id', description: 'id of what `type` names' },
  name: { type: 'string', description: 'for people' },
  type: { enum: ['task', 'procedure', 'command'], description: 'command: one that `schedule/command` has stored' },
  'when?': { $ref: 'when' },
  'suspended?': { enum: [0, 1], description: '1: it does not fire' },
  'procedure?': {
    $ref: 'id',
    description: 'id of the only step of the task, when both were made for this schedule: they are deleted with it',
  },
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
    const { name, type, when, suspended = 0 } = payload
    const task = Number(payload.task)
    const plan = payload.procedure === undefined ? undefined : { task, procedure: Number(payload.procedure) }
    if (plan && request.rights.isLimited)
      return services.refuse('procedure: expected rights for all rooms, got rights for some', 403)
    const steps = plan && type === 'task' ? (await services.store.tasks.find(task))?.steps : undefined
    if (plan && !isDeepStrictEqual(steps, [{ procedure: plan.procedure }]))
      return services.refuse(`procedure: expected the only step of task ${task}, got ${plan.procedure}`)
    const schedule = { task, name, type, when, suspended, plan }
    const id = await services.schedules.create(schedule, request)
    if (services.isRefusal(id)) return id
    request.created(id)
    await services.schedules.warn(id, when, request)
  },
} satisfies Command<typeof payload>
