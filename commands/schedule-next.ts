// Previews when a schedule fires next.
import type { Command } from 'fleet-host'

export default {
  summary: 'Preview the next firings: ?id=&count=',
  route: 'GET /schedule/next',
  query: {
    id: { description: 'The schedule', example: '1', required: true },
    count: { description: 'How many, 10 by default', example: '3' },
  },
  async answer(_, { schedules: calendar, refuse }, { query }) {
    const id = query.get('id') ?? ''
    const count = query.get('count') ?? '10'
    if (!/^\d+$/.test(id)) return refuse(`?id: expected digits, got ${id}`)
    if (!/^[1-9]\d{0,2}$/.test(count)) return refuse(`?count: expected 1 to 999, got ${count}`)
    const next = await calendar.next(Number(id), Number(count))
    return next ? { next } : refuse(`?id: there is no schedule ${id}`)
  },
} satisfies Command
