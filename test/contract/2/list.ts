// Lists computers of a room, by the query.
import type { Command } from 'fleet-host'

const query = {
  type: 'object',
  required: ['room'],
  properties: { room: { type: 'string', pattern: '^\\d+$', expected: 'digits' } },
} as const

export default {
  summary: 'List computers of a room',
  route: 'GET /site/list',
  query,
  async answer({ services, request }) {
    const computers = await services.store.computers.list(Number(request.query.room))
    return { computers: computers.map(({ ip, name }) => ({ ip, name })), caller: request.caller }
  },
} satisfies Command<undefined, undefined, typeof query>
