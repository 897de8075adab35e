// Reboots the listed clients, also busy ones.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Reboot clients',
  group: 'Clients',
  route: 'POST /reboot',
  http: { prefix: true },
  confirm: 'ask',
  payload,
  forward: { to: 'POST /reboot', body: 'none', whileBusy: true, endsOnClose: true },
} satisfies Command<typeof payload>
