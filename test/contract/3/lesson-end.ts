// Ends the lesson: sends what agents never reply to, also to those that are busy.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  contract: 3,
  summary: 'End the lesson',
  route: 'POST /lesson/end',
  confirm: 'ask',
  payload,
  forward: { to: 'POST /poweroff', body: 'none', whileBusy: true, expectsReply: false, endsOnClose: true },
} satisfies Command<typeof payload>
