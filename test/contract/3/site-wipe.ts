// Wipes computers: nobody may send it unasked. The daemon itself acts.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  contract: 3,
  summary: 'Wipe computers',
  route: 'POST /site/wipe',
  confirm: 'consent',
  assistants: false,
  payload,
  act: ({ client }) =>
    client.addr.endsWith('.1') ? { result: 'skipped', reason: 'never wiped' } : { result: 'success' },
} satisfies Command<typeof payload>
