// Starts the operating system of a partition on the listed clients.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition'],
  properties: { clients: { $ref: 'clients' }, disk: { type: 'string' }, partition: { type: 'string' } },
} as const

export default {
  summary: 'Start an operating system',
  example: { clients: ['10.1.1.20'], disk: '1', partition: '2' },
  route: 'POST /session',
  payload,
  forward: { to: 'POST /session' },
} satisfies Command<typeof payload>
