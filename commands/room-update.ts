// Changes the sent fields of a room, and the boot files of its computers.
import type { Command } from 'fleet-host'
import { anyId, object, optional } from './_schemas/objects.ts'
import { roomFields } from './_schemas/room-fields.ts'

const payload = object({
  room: anyId,
  ...optional(roomFields),
})

export default {
  summary: 'Change a room',
  group: 'Centers, rooms and computers',
  example: { room: 1, gateway: '10.1.1.254' },
  route: 'POST /room/update',
  payload,
  answer({ payload, services, request }) {
    const { room, ...change } = payload
    return services.computers.updateRoom(Number(room), change, request)
  },
} satisfies Command<typeof payload>
