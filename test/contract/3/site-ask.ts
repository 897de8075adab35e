// Asks each agent that connects for what the site wants to know, and before its queued work.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const
const reply = { type: 'object' } as const

export default {
  contract: 3,
  summary: 'Ask for the site',
  route: 'POST /site/ask',
  payload,
  forward: { to: 'GET /site', onConnect: true, beforeQueue: true, reply },
} satisfies Command<typeof payload, typeof reply>
