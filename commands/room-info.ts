// Reads the record of a room.
import type { Command } from 'fleet-host'
import { integer, result } from './_result-schemas.ts'
import { roomFields } from './_room-fields.ts'

const payload = {
  type: 'object',
  required: ['room'],
  properties: { room: { type: ['integer', 'string'], pattern: '^[0-9]+$' } },
} as const

const returns = result({ id: integer, ...roomFields })

export default {
  summary: 'Read a room record',
  example: { room: 1 },
  route: 'GET /room/info',
  returns,
  payload,
  async answer({ payload, services }) {
    const room = await services.store.rooms.find(Number(payload.room))
    return room ?? services.refuse(`room: there is no room ${payload.room}`)
  },
} satisfies Command<typeof payload>
