// Deletes computer records, and their boot files.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Delete computers',
  group: 'Centers, rooms and computers',
  route: 'POST /client/delete',
  http: { prefix: true },
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const effects = await services.undo.effects({ kind: 'computer', clients: payload.clients }, request)
    const computers = await services.undo.keep(request, store => store.computers.delete(payload.clients))
    await services.computers.cleanUp(computers)
    if (effects.length > 0) request.warn(effects.join('; '))
  },
} satisfies Command<typeof payload>
