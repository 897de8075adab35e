// Reads a room's record.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['room'],
  properties: { room: { type: ['integer', 'string'], pattern: '^[0-9]+$' } },
} as const

export default {
  summary: 'Read a room record',
  example: { room: 1 },
  route: 'GET /room/info',
  payload,
  async answer({ room }, { store, refuse }) {
    return (await store.rooms.find(Number(room))) ?? refuse(`room: there is no room ${room}`)
  },
} satisfies Command<typeof payload>
