// Requests the software inventory of one partition of the listed clients and stores it.
import type { Command } from 'fleet-host'
import { softwareList } from './_schemas/image-create.ts'
import { object } from './_schemas/objects.ts'

const payload = object({ clients: { $ref: 'clients' }, disk: { $ref: 'place' }, partition: { $ref: 'place' } })

const reply = object({ software: softwareList, partition: { $ref: 'place' } })

export default {
  summary: 'Take the software inventory of a partition',
  group: 'Inventory',
  example: { clients: ['10.1.1.20'], disk: '1', partition: '2' },
  route: 'POST /software',
  payload,
  forward: {
    to: 'GET /software',
    reply,
    checkReply: ({ reply, payload: { partition }, services }) => services.inventory.compareIds({ partition }, reply),
    onReply({ reply, client, payload, services }) {
      const software = services.inventory.parseSoftware(reply.software)
      // The reply does not repeat the disk.
      const disk = Number(payload.disk)
      return services.store.inventory.setSoftware(client.addr, disk, Number(reply.partition), software)
    },
  },
} satisfies Command<typeof payload, typeof reply>
