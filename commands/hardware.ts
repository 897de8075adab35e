// Has the listed clients tell their hardware.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

const reply = { type: 'object', required: ['hardware'], properties: { hardware: { type: 'string' } } } as const

export default {
  summary: 'Take the hardware inventory',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /hardware',
  payload,
  forward: { to: 'GET /hardware' },
  reply,
  settle: ({ hardware }, { addr }, { store, inventory }) =>
    store.inventory.setHardware(addr, inventory.hardware(hardware)),
} satisfies Command<typeof payload, typeof reply>
