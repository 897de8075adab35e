// Reads schedules: those of a task, one by its id, or all.
import type { CommandOf } from 'fleet-host'
import { described, integer, like, list, object, text } from './_schemas/objects.ts'
import { whenFields } from './_schemas/tasks.ts'

const payload = object({
  'task?': { $ref: 'id', description: 'only the schedules of this task, by its id' },
  'id?': { $ref: 'id', description: 'only the schedule with this id' },
})

const schedule = object({
  id: like(integer, 1),
  task: described(integer, 'id of the task, procedure or scheduled command', 1),
  name: like(text, 'Every evening'),
  ...whenFields,
  suspended: { enum: [0, 1], description: '1: it does not fire' },
  session: { enum: [0], description: 'for consoles' },
})

const returns = object({ schedule: list(schedule) })

export default {
  summary: 'Read schedules',
  group: 'Schedules',
  example: { task: '1' },
  route: 'POST /schedule/get',
  returns,
  access: 'read',
  scoped: true,
  payload,
  body: 'optional',
  async answer({ payload, services, request }) {
    const { task, id } = payload
    const schedules = (await services.schedules.list(request)).filter(schedule => {
      // The specification: with both keys, task takes precedence.
      if (task !== undefined) return schedule.task === Number(task)
      return id === undefined || schedule.id === Number(id)
    })
    return { schedule: schedules.map(({ type, since, by, plan, ...schedule }) => ({ ...schedule, session: 0 })) }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
