// Reboots the listed clients, also busy ones.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ clients: { $ref: 'clients' } })

export default {
  summary: 'Reboot clients',
  group: 'Clients',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /reboot',
  destructive: true,
  payload,
  forward: { to: 'POST /reboot', body: 'none', whileBusy: true, endsOnClose: true },
} satisfies Command<typeof payload>
