// Has the listed clients tell the software of one partition.
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
  forward: { to: 'GET /software' },
  reply,
  settle({ software, partition }, { addr, sent }, { store, inventory }) {
    // The answer does not repeat the disk.
    return store.inventory.setSoftware(addr, Number(sent.disk), Number(partition), inventory.software(software))
  },
} satisfies Command<typeof payload, typeof reply>
