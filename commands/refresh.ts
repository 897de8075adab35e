// Has the listed clients tell their disks, serial number and speed; each agent is asked when it connects.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

const reply = { $ref: 'inventory' } as const

export default {
  summary: 'Refresh what is known of clients',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /refresh',
  payload,
  forward: { to: 'GET /refresh', onConnect: true },
  reply,
  settle: (told, client, { inventory }) => inventory.refresh(told, client),
} satisfies Command<typeof payload, typeof reply>
