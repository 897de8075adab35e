// Wakes the listed computers with magic packets.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'type'],
  properties: { clients: { $ref: 'clients' }, type: { type: 'string' } },
} as const

export default {
  summary: 'Wake computers',
  example: { clients: ['10.1.1.20'], type: 'broadcast' },
  route: 'POST /wol',
  payload,
  async act(ip, { type }, { store, fleet, wake }) {
    if (fleet.has(ip)) return { result: 'skipped', reason: 'connected' }
    const computer = await store.computers.find(ip)
    const room = computer && (await store.rooms.find(computer.room))
    if (!computer || !room) return { result: 'skipped', reason: 'unknown' }
    fleet.wakeSent(ip)
    await wake.send({ ip, mac: computer.mac, netmask: room.netmask, type })
    return { result: 'success' }
  },
} satisfies Command<typeof payload>
