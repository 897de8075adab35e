// Wakes a computer with a magic packet, and lists it as WOL_SENT until its agent connects.
import type { Store } from '../../stores/store.ts'
import type { FleetService, WakeService } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import { limitLog } from '../log/throttled-log.ts'
import type { Events } from '../system/events.ts'
import { endOfTick } from '../system/time-slices.ts'
import type { PacketSender, WakeTarget } from './packet-sender.ts'
import { Wakes, type WakesDeps } from './wakes.ts'

interface WakeDeps {
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'has' | 'addWakeEntry'>
  packets: PacketSender
  wakes: Pick<Wakes, 'start' | 'lastSent'>
  log: Log
  events: Events
}

export function createWakes(deps: Omit<WakeDeps, 'wakes'> & WakesDeps): { wake: WakeService; wakes: Wakes } {
  const wakes = new Wakes(deps)
  return { wake: createWake({ ...deps, wakes }), wakes }
}

export function createWake({ store, fleet, packets, wakes, log, events }: WakeDeps): WakeService {
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
      // Before the packets: the agent may connect while they are sent.
      const wake = wakes.start(ip)
      try {
        const sentTo = await packets.send({ ip, ...target, type })
        return { result: 'success', end: wake.end({ sentTo, mac: target.mac }) }
      } catch (error) {
        wake.cancel()
        return { result: 'failure', reason: message(error) }
      }
    },
    lastSent: ip => wakes.lastSent(ip),
  }
}

type Target = Pick<WakeTarget, 'mac' | 'netmask'>

/** Looks up all addresses of one tick together: a whole room is woken by one request. */
function createTargetLookup({ computers, rooms }: WakeDeps['store']): (ip: string) => Promise<Target | undefined> {
  let ips: string[] = []
  let targets: Promise<Map<string, Target>> | undefined

  async function read(): Promise<Map<string, Target>> {
    await endOfTick()
    const asked = ips
    ips = []
    targets = undefined
    const netmasks = new Map((await rooms.list()).map(({ id, netmask }) => [id, netmask]))
    return new Map(
      (await computers.findMany(asked)).flatMap(({ ip, mac, room }) => {
        const netmask = netmasks.get(room)
        return netmask === undefined ? [] : [[ip, { mac, netmask }]]
      }),
    )
  }

  return async ip => {
    ips.push(ip)
    targets ??= read()
    return (await targets).get(ip)
  }
}
