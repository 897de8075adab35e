// Reads the stored hardware inventory of a computer.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['client'], properties: { client: { $ref: 'client' } } } as const

export default {
  summary: 'Read the hardware of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /hardware',
  payload,
  async answer({ client: [ip = ''] }, { store }) {
    return { hardware: await store.inventory.hardware(ip) }
  },
} satisfies Command<typeof payload>
