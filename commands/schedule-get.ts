// Reads schedules: those of a task, one by its id, or all.
import type { Command } from 'fleet-host'

const payload = { type: 'object', properties: { task: { $ref: 'id' }, id: { $ref: 'id' } } } as const

export default {
  summary: 'Read schedules',
  example: { task: '1' },
  route: 'POST /schedule/get',
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
