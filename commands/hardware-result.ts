// Reads the stored hardware inventory of a computer.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['client'], properties: { client: { $ref: 'client' } } } as const

export default {
  summary: 'Read the hardware of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /hardware',
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { hardware: await services.store.inventory.hardware(ip) }
  },
} satisfies Command<typeof payload>
