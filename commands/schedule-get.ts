// Reads schedules: those of a task, one by its id, or all.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

const payload = { type: 'object', properties: { task: { $ref: 'id' }, id: { $ref: 'id' } } } as const

const masks = ['years', 'months', 'days', 'hours', 'am_pm', 'minutes', 'week_days', 'weeks']

const schedule = result({
  id: integer,
  task: described(integer, 'id of the task, procedure or scheduled command'),
  name: text,
  ...Object.fromEntries(masks.map(key => [key, integer])),
  suspended: { enum: [0, 1] },
  session: { enum: [0] },
})
const returns = result({ schedule: list(schedule) })

export default {
  summary: 'Read schedules',
  example: { task: '1' },
  route: 'POST /schedule/get',
  returns,
  access: 'read',
  payload,
  body: 'optional',
  async answer({ payload, services }) {
    const { task, id } = payload
    const schedules = (await services.store.schedules.list()).filter(schedule => {
      // The specification: with both keys, task takes precedence.
      if (task !== undefined) return schedule.task === Number(task)
      return id === undefined || schedule.id === Number(id)
    })
    return { schedule: schedules.map(({ type, since, ...schedule }) => ({ ...schedule, session: 0 })) }
  },
} satisfies Command<typeof payload>
