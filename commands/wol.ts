// Wakes the listed computers with magic packets.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'type'],
  properties: { clients: { $ref: 'clients' }, type: { type: 'string' } },
} as const

export default {
  summary: 'Wake computers',
  example: { clients: ['10.1.1.20'], type: 'broadcast' },
  route: 'POST /wol',
  payload,
  act: ({ client, payload, services }) => services.wake.send(client.addr, payload.type),
} satisfies Command<typeof payload>
