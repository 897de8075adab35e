// Requests disks, serial number, speed and status of the listed clients, and of each client when it connects.
import type { Command } from 'fleet-host'
import { clientsOnly as payload } from './_schemas/objects.ts'

const reply = { $ref: 'inventory' } as const

export default {
  summary: 'Refresh the disks, serial number, speed and state of clients',
  group: 'Inventory',
  route: 'POST /refresh',
  payload,
  forward: {
    to: 'GET /refresh',
    onConnect: true,
    reply,
    onReply: ({ reply, client, services }) => services.inventory.refresh(reply, client),
  },
} satisfies Command<typeof payload, typeof reply>
