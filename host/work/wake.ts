// Wakes computers: whom to send packets for, and what is shown meanwhile.
import type { FleetRoom, Store, WakeRoom } from '../command.ts'
import type { PacketSender } from '../fleet/wake.ts'
import { message } from '../log.ts'

export interface WakeParts {
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetRoom, 'has' | 'wakeSent'>
  packets: PacketSender
}

export function createWake({ store, fleet, packets }: WakeParts): WakeRoom {
  return {
    async up(ip, type) {
      if (fleet.has(ip)) return { result: 'skipped', reason: 'connected' }
      const computer = await store.computers.find(ip)
      const room = computer && (await store.rooms.find(computer.room))
      if (!computer || !room) return { result: 'skipped', reason: 'unknown' }
      fleet.wakeSent(ip)
      try {
        await packets.send({ ip, mac: computer.mac, netmask: room.netmask, type })
        return { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    },
  }
}
