// Powers off computers whose reservations have ended, but none on which something has been begun meanwhile.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  summary: 'Power off clients that do nothing',
  group: 'Remote labs',
  route: 'POST /remote-labs/poweroff',
  confirm: 'ask',
  payload,
  forward: { to: 'POST /poweroff', body: 'none', endsOnClose: true },
} satisfies Command<typeof payload>
