// The tree of centers, rooms and computers.
import type { ScopeNode } from '../store.ts'
import type { Tables } from './tables.ts'

export function buildTree({ all, by }: Tables): ScopeNode[] {
  const computers = (room: number) =>
    by.computersOf.ids(room).flatMap((id): ScopeNode[] => {
      const computer = all.computers.get(id)
      return computer ? [{ name: computer.name, type: 'computer', id, scope: [], ip: computer.ip }] : []
    })
  const rooms = (center: number) =>
    by.roomsOf.ids(center).flatMap((id): ScopeNode[] => {
      const room = all.rooms.get(id)
      return room ? [{ name: room.name, type: 'room', id, scope: computers(id) }] : []
    })
  return all.centers.sorted().map(({ id, name }) => ({ name, type: 'center', id, scope: rooms(id) }))
}

export function copyTree(nodes: ScopeNode[]): ScopeNode[] {
  return nodes.map(node => {
    const { name, id } = node
    if (node.type === 'computer') return { name, type: node.type, id, scope: [], ip: node.ip }
    return { name, type: node.type, id, scope: copyTree(node.scope) }
  })
}
