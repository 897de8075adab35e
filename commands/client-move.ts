// Moves computers to another room: all of them, or none.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  room: { type: 'integer', idOf: 'room', minimum: 1, description: 'id of the room', examples: [1] },
})

export default {
  summary: 'Move computers to a room',
  group: 'Centers, rooms and computers',
  route: 'POST /client/move',
  payload,
  answer({ payload: { clients, room }, services, request }) {
    // Also for a room that does not exist: a limited caller must not learn which do.
    if (!request.rights.hasRoom(room)) return services.refuse('room: expected a room of the token', 403)
    return services.computers.move(clients, room, request)
  },
} satisfies Command<typeof payload>
