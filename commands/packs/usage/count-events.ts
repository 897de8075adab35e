// Counts log-ins, boots and failures of rooms.
import type { Hook } from 'fleet-host'
import { beginSession, endSession } from './_raw-sessions.ts'
import { addOne } from './_usage-counts.ts'
import { eventTypes, SeenEvents } from './_usage-events.ts'
import { addToHour, hourOf } from './_usage-hours.ts'
import type { RoomCounts } from './_usage-schemas.ts'
import type pack from './pack.ts'

const loaded = performance.now()
let seen: SeenEvents | undefined

export default {
  summary: 'Count log-ins, boots and failures',
  on: [...eventTypes],
  async run({ events, ...context }) {
    const { services } = context
    // Of several hosts this one may only now have replaced another, whose agents connect again.
    const isFleet = events.some(event => event.type !== 'events-missing' && event.host !== undefined)
    const begun = services.now() - (isFleet ? 0 : performance.now() - loaded)
    const copy = seen?.copy() ?? new SeenEvents(begun)
    const clients = events.flatMap(event => (event.type === 'events-missing' ? [] : event.clients))
    const computers = await services.store.computers.findMany([...new Set(clients)])
    const roomOf = new Map(computers.map(({ ip, room }) => [ip, room]))
    const hours = new Map<string, RoomCounts>()
    for (const event of events) {
      if (event.type === 'events-missing') continue
      const [ip = ''] = event.clients
      const room = roomOf.get(ip)
      if (room === undefined && event.type !== 'host-gone') continue
      const time = Date.parse(event.time)
      const what = copy.judge(event, ip)
      if (what === 'logins' && event.type === 'session-login') await beginSession(context, ip, time, event.user)
      if (what === 'logout' || event.type === 'client-gone') await endSession(context, ip, time)
      if (what === undefined || what === 'logout' || room === undefined) continue
      const hour = hourOf(time)
      const rooms = hours.get(hour) ?? {}
      addOne(rooms, room, what)
      hours.set(hour, rooms)
    }
    for (const [hour, rooms] of hours) await addToHour(context, hour, rooms)
    // A run that has thrown gets the same events again: what they have changed is in force from here on.
    seen = copy
  },
} satisfies Hook<typeof pack, (typeof eventTypes)[number]>
