// Requests the software inventory of one partition of the listed clients and stores it.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition'],
  properties: { clients: { $ref: 'clients' }, disk: { $ref: 'id' }, partition: { $ref: 'id' } },
} as const

const reply = {
  type: 'object',
  required: ['software', 'partition'],
  properties: { software: { type: 'string' }, partition: { $ref: 'id' } },
} as const

export default {
  summary: 'Take the software inventory of a partition',
  example: { clients: ['10.1.1.20'], disk: '1', partition: '2' },
  route: 'POST /software',
  payload,
  forward: {
    to: 'GET /software',
    reply,
    onReply({ reply, client, payload, services }) {
      const software = services.inventory.parseSoftware(reply.software)
      // The reply does not repeat the disk.
      const disk = Number(payload.disk)
      return services.store.inventory.setSoftware(client.addr, disk, Number(reply.partition), software)
    },
  },
} satisfies Command<typeof payload, typeof reply>
