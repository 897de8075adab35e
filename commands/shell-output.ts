// Reads the output of the last script on each listed client; unknown addresses are left out.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  summary: 'Read the output of the last shell script',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /shell/output',
  payload,
  async answer({ payload, services }) {
    const { fleet, store } = services
    const entries = payload.clients.map(async addr => {
      const exists = fleet.has(addr) || (await store.computers.find(addr)) !== undefined
      return exists ? [{ addr, output: fleet.output(addr) }] : []
    })
    return { clients: (await Promise.all(entries)).flat() }
  },
} satisfies Command<typeof payload>
