// Reads schedules: those of a task, one by its id, or all.
import type { Command } from 'fleet-host'

const payload = { type: 'object', properties: { task: { $ref: 'id' }, id: { $ref: 'id' } } } as const

export default {
  summary: 'Read schedules',
  example: { task: '1' },
  route: 'POST /schedule/get',
  payload,
  body: 'optional',
  async answer({ task, id }, { store }) {
    // The specification: with both given, task takes precedence.
    const all = await store.schedules.list()
    const wanted = all.filter(row =>
      task !== undefined ? row.task === Number(task) : id === undefined || row.id === Number(id),
    )
    return { schedule: wanted.map(({ type, since, ...row }) => ({ ...row, session: 0 })) }
  },
} satisfies Command<typeof payload>
