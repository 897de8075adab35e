// Deletes a room with its computers.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('room') })

export default {
  summary: 'Delete a room with its computers',
  group: 'Centers, rooms and computers',
  route: 'POST /room/delete',
  confirm: 'consent',
  payload,
  async answer({ payload, services, request }) {
    const effects = await services.undo.effects({ kind: 'room', id: payload.id }, request)
    const computers = await services.undo.keep(request, store => store.rooms.delete(Number(payload.id)))
    if (!computers) return services.refuse(`id: there is no room ${payload.id}`)
    await services.computers.cleanUp(computers)
    if (effects.length > 0) request.warn(effects.join('; '))
  },
} satisfies Command<typeof payload>
