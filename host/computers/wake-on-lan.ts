// Wakes a computer with a magic packet, and lists it as WOL_SENT until its agent connects.
import type { Store } from '../../stores/store.ts'
import type { FleetService, WakeService } from '../services.ts'
import { message } from '../system/log.ts'
import type { PacketSender } from './magic-packet.ts'

export interface WakeDeps {
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'has' | 'addWakeEntry'>
  packets: PacketSender
}

export function createWake({ store, fleet, packets }: WakeDeps): WakeService {
  return {
    async send(ip, type) {
      if (fleet.has(ip)) return { result: 'skipped', reason: 'connected' }
      const computer = await store.computers.find(ip)
      const room = computer && (await store.rooms.find(computer.room))
      if (!computer || !room) return { result: 'skipped', reason: 'unknown' }
      fleet.addWakeEntry(ip)
      try {
        await packets.send({ ip, mac: computer.mac, netmask: room.netmask, type })
        return { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    },
  }
}
