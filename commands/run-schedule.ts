// Requests the listed clients to run their queued commands.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Run pending commands',
  group: 'Clients',
  route: 'POST /run/schedule',
  assistants: false,
  payload,
  forward: { to: 'GET /run/schedule', beforeQueue: true },
} satisfies Command<typeof payload>
