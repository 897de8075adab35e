// Events of records that several writes of the store have in common.
import type { Computer, ComputerChange, New } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'

export function scheduleAdded(schedule: number, { name, by }: { name: string; by: string }): FleetEvent {
  return { type: 'schedule-added', schedule, name, maker: by }
}

interface LocatedComputer {
  ip: string
  room: number
}

export const located = ({ ip, room }: LocatedComputer): LocatedComputer => ({ ip, room })

export function computersRemoved(computers: LocatedComputer[] = []): FleetEvent | undefined {
  return computers.length === 0 ? undefined : { type: 'computer-removed', computers: computers.map(located) }
}

/** With a computer that gets another address. */
export const tasksFollow: FleetEvent = { type: 'list-changed', list: 'tasks' }

/**
 * A computer with a new address is removed and added: computers may have exchanged their addresses. One event for each
 * pair of rooms that others have moved between, and one for those that stay in theirs.
 */
export function computersMerged(before: Computer[], rows: (New<Computer> | ComputerChange)[]): FleetEvent[] {
  const changes = rows.filter(row => 'id' in row)
  const added = rows.flatMap(row => ('id' in row ? [] : located(row)))
  const removed: LocatedComputer[] = []
  const moves = new Map<string, { room: number | undefined; addrs: string[] }>()
  for (const [index, computer] of before.entries()) {
    const { ip = computer.ip, room = computer.room } = changes[index] ?? {}
    if (ip !== computer.ip) {
      removed.push(located(computer))
      added.push({ ip, room })
      continue
    }
    const newRoom = room === computer.room ? undefined : room
    const key = newRoom === undefined ? '' : `${computer.room} ${newRoom}`
    const move = moves.get(key)
    if (move) move.addrs.push(ip)
    else moves.set(key, { room: newRoom, addrs: [ip] })
  }
  const events: FleetEvent[] = Array.from(moves.values(), ({ room, addrs }) => ({
    type: 'computer-changed',
    addrs,
    room,
  }))
  if (removed.length > 0) events.push({ type: 'computer-removed', computers: removed }, tasksFollow)
  if (added.length > 0) events.push({ type: 'computer-added', computers: added })
  return events
}
