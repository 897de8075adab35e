// Starts the operating system of a partition on the listed clients.
import type { Command } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const payload = object({
  clients: { $ref: 'clients' },
  disk: described(text, 'number of the disk, from 1', '1'),
  partition: described(text, 'number of the partition with the system', '2'),
})

export default {
  summary: 'Start an operating system',
  group: 'Clients',
  route: 'POST /session',
  assistants: false,
  http: { prefix: true },
  payload,
  forward: { to: 'POST /session' },
} satisfies Command<typeof payload>
