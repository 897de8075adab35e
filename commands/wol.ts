// Wakes the listed computers with magic packets.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  type: {
    type: 'string',
    description: 'how the packets are addressed: 1 means broadcast, 2 unicast; any other type is sent as broadcast',
    examples: ['broadcast', 'unicast'],
  },
})

const types = ['broadcast', 'unicast', '1', '2']

export default {
  summary: 'Wake computers',
  group: 'Clients',
  route: 'POST /wol',
  http: { prefix: true },
  payload,
  accept({ payload, request }) {
    // The specification: any other string is passed through.
    if (!types.includes(payload.type))
      request?.warn(`type: expected broadcast or unicast, got ${payload.type}; sent as broadcast`)
    return payload
  },
  preflight: ({ payload: { clients }, services }) =>
    new Map(clients.filter(client => services.fleet.has(client)).map(client => [client, 'connected'])),
  act: ({ client, payload, services }) => services.wake.send(client.addr, payload.type),
} satisfies Command<typeof payload>
