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
  async answer({ payload, services }) {
    const computers = await services.store.computers.delete(payload.clients)
    await services.computers.cleanUp(computers)
  },
} satisfies Command<typeof payload>
