// Sets the live system of the listed computers and writes their boot files.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'name'],
  additionalProperties: false,
  properties: { clients: { $ref: 'clients' }, name: { type: 'string', minLength: 1 } },
} as const

export default {
  summary: 'Set the live system of computers',
  example: { clients: ['10.1.1.20'], name: 'ogLive' },
  route: 'POST /oglive/set',
  payload,
  answer: ({ payload, services }) => services.boot.setLiveSystem([...new Set(payload.clients)], payload.name),
} satisfies Command<typeof payload>
