// Stops what the listed clients are running.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Stop what clients are running',
  group: 'Clients',
  route: 'POST /stop',
  confirm: 'ask',
  payload,
  forward: { to: 'POST /stop', body: 'none', deadline: 5, whileBusy: true, expectsReply: false, stopsJobs: true },
} satisfies Command<typeof payload>
