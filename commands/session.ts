// Starts the operating system of a partition on the listed clients.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  disk: { type: 'string', description: 'number of the disk, from 1' },
  partition: { type: 'string', description: 'number of the partition with the system' },
})

export default {
  summary: 'Start an operating system',
  group: 'Clients',
  example: { clients: ['10.1.1.20'], disk: '1', partition: '2' },
  route: 'POST /session',
  payload,
  forward: { to: 'POST /session' },
} satisfies Command<typeof payload>
