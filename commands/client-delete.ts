// Deletes computer records.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  summary: 'Delete computers',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /client/delete',
  payload,
  async answer({ clients }, { store, computers }) {
    await computers.cleanUp(await store.computers.delete(clients))
  },
} satisfies Command<typeof payload>
