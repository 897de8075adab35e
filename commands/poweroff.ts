// Powers off the listed clients, also busy ones.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ clients: { $ref: 'clients' } })

export default {
  summary: 'Power clients off',
  group: 'Clients',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /poweroff',
  destructive: true,
  payload,
  forward: { to: 'POST /poweroff', body: 'none', whileBusy: true, endsOnClose: true },
} satisfies Command<typeof payload>
