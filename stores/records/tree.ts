// The tree of centers, rooms and computers.

import type { Tables } from '../memory/tables/tables.ts'
import type { ScopeNode } from '../store.ts'

const none: readonly [] = Object.freeze([])

/** Frozen at every level, as many readers share it. */
export function buildTree({ all, by }: Tables): readonly ScopeNode[] {
  const frozen = (nodes: ScopeNode[]) => Object.freeze(nodes.map(node => Object.freeze(node)))
  const computers = (room: number) =>
    by.computersOf.ids(room).flatMap((id): ScopeNode[] => {
      const computer = all.computers.get(id)
      return computer ? [{ name: computer.name, type: 'computer', id, scope: none, ip: computer.ip }] : []
    })
  const rooms = (center: number) =>
    by.roomsOf.ids(center).flatMap((id): ScopeNode[] => {
      const room = all.rooms.get(id)
      return room ? [{ name: room.name, type: 'room', id, scope: frozen(computers(id)) }] : []
    })
  return frozen(all.centers.sorted().map(({ id, name }) => ({ name, type: 'center', id, scope: frozen(rooms(id)) })))
}
