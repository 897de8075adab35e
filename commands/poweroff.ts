// Powers off the listed clients, also busy ones.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

export default {
  summary: 'Power clients off',
  group: 'Clients',
  route: 'POST /poweroff',
  http: { prefix: true },
  confirm: 'ask',
  payload,
  forward: { to: 'POST /poweroff', body: 'none', whileBusy: true, endsOnClose: true },
} satisfies Command<typeof payload>
