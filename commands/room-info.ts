// Reads the record of a room.
import type { CommandOf } from 'fleet-host'
import { anyId, integer, like, object } from './_schemas/objects.ts'
import { roomFields } from './_schemas/room-fields.ts'

const payload = object({ room: anyId })

const { tags, ...fields } = roomFields

const returns = object({ id: like(integer, 1), ...fields, 'tags?': tags })

export default {
  summary: 'Read a room record',
  group: 'Centers, rooms and computers',
  route: 'GET /room/info',
  returns,
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const id = Number(payload.room)
    // Also for a room that does not exist: a limited caller must not learn which do.
    if (!request.rights.hasRoom(id)) return services.refuse('room: expected a room of the token', 403)
    const room = await services.store.rooms.find(id)
    return room ?? services.refuse(`room: there is no room ${payload.room}`)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
