// The room of each computer by its address, kept up to date by events.
import type { FleetEvent } from '../system/events.ts'

type RoomIds = readonly number[]

const noRooms: RoomIds = []

export class RoomMap {
  /** The one room of each computer, as the list that its events have. */
  readonly #rooms = new Map<string, RoomIds>()

  constructor(computers: readonly { ip: string; room: number }[]) {
    for (const { ip, room } of computers) this.#rooms.set(ip, [room])
  }

  /** Applies an event and returns the ids of the rooms that it concerns, of computers that moved the old ones first. */
  update(event: FleetEvent): RoomIds {
    // First, as most events are of this kind.
    if ('addr' in event) return this.#rooms.get(event.addr) ?? noRooms
    switch (event.type) {
      case 'computer-added':
        for (const { ip, room } of event.computers) this.#rooms.set(ip, [room])
        return this.#roomsOf(clientsOf(event))
      case 'computer-changed': {
        const before = this.#roomsOf(event.addrs)
        for (const addr of event.addrs) this.#change(addr, event)
        return event.room === undefined ? before : [...new Set([...before, ...this.#roomsOf(event.addrs)])]
      }
      case 'computer-removed':
        for (const { ip } of event.computers) this.#rooms.delete(ip)
        return [...new Set(event.computers.map(({ room }) => room))]
      default:
        return this.#roomsOf(clientsOf(event))
    }
  }

  #change(addr: string, { ip = addr, room }: { ip?: string; room?: number }): void {
    const before = this.#rooms.get(addr)
    // The store ignores unknown addresses.
    if (before === undefined) return
    this.#rooms.delete(addr)
    this.#rooms.set(ip, room === undefined ? before : [room])
  }

  #roomsOf(addrs: readonly string[]): RoomIds {
    const rooms = new Set<number>()
    for (const addr of addrs) {
      for (const room of this.#rooms.get(addr) ?? noRooms) rooms.add(room)
    }
    return [...rooms]
  }
}

/** Whether `RoomMap.update` changes the rooms for an event of this type. */
export const changesRooms = ({ type }: FleetEvent): boolean =>
  type === 'computer-added' || type === 'computer-changed' || type === 'computer-removed'

/** The addresses that an event concerns. */
export function clientsOf(event: FleetEvent): string[] {
  if ('addr' in event) return [event.addr]
  if ('addrs' in event) return event.addrs
  return 'computers' in event ? event.computers.map(({ ip }) => ip) : []
}
