// Wakes a computer with a magic packet, and lists it as WOL_SENT until its agent connects.
import type { Store } from '../../stores/store.ts'
import type { FleetService, WakeService } from '../contract/services.ts'
import { limitLog } from '../log/limited-log.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { endOfTick } from '../system/time-slices.ts'
import type { PacketSender } from './magic-packet.ts'

export interface WakeDeps {
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'has' | 'addWakeEntry'>
  packets: PacketSender
  log: Log
  events: Events
}

/** What a magic packet needs. */
interface Target {
  mac: string
  netmask: string
}

export function createWake({ store, fleet, packets, log, events }: WakeDeps): WakeService {
  const findTarget = createTargetLookup(store)
  const logOf = limitLog(log)

  /** What another host of the fleet has sent: this one may be in the computer's network. */
  async function sendAgain(ip: string, type: string): Promise<void> {
    try {
      const target = await findTarget(ip)
      if (target) await packets.send({ ip, ...target, type })
    } catch (error) {
      logOf('relayed').info('wake', `${ip}: packet of another host not sent by this one: ${message(error)}`)
    }
  }

  events.on(
    (event, isRelayed) => {
      if (isRelayed && event.type === 'wake-sent') void sendAgain(event.addr, event.kind ?? 'broadcast')
    },
    ['wake-sent'],
  )
  return {
    async send(ip, type) {
      if (fleet.has(ip)) return { result: 'skipped', reason: 'connected' }
      const target = await findTarget(ip)
      if (!target) return { result: 'skipped', reason: 'unknown' }
      fleet.addWakeEntry(ip, type)
      try {
        await packets.send({ ip, ...target, type })
        return { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    },
  }
}

/** Looks up all addresses of one tick together: a whole room is woken by one request. */
function createTargetLookup(store: WakeDeps['store']): (ip: string) => Promise<Target | undefined> {
  let ips: string[] = []
  let targets: Promise<Map<string, Target>> | undefined

  async function read(): Promise<Map<string, Target>> {
    await endOfTick()
    const [asked, found] = [ips, new Map<string, Target>()]
    ips = []
    targets = undefined
    const computers = await store.computers.findMany(asked)
    const rooms = new Map((await store.rooms.list()).map(room => [room.id, room]))
    for (const { ip, mac, room } of computers) {
      const netmask = rooms.get(room)?.netmask
      if (netmask !== undefined) found.set(ip, { mac, netmask })
    }
    return found
  }

  return async ip => {
    ips.push(ip)
    targets ??= read()
    return (await targets).get(ip)
  }
}
