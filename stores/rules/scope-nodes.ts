// The tree of scopes: centers with their rooms, and rooms with their computers.
import type { Center, Computer, Frozen, Room, ScopeNode } from '../types.ts'

type Named = Readonly<Pick<Center | Room, 'id' | 'name'>>

interface Children {
  rooms(center: number): readonly Named[]
  computers(room: number): readonly Readonly<Pick<Computer, 'id' | 'name' | 'ip'>>[]
}

const noNodes: readonly [] = Object.freeze([])

/** Frozen at every level, because many readers share it. */
export function buildScopes(centers: readonly Named[], children: Children): readonly ScopeNode[] {
  const computersOf = (room: number) =>
    freezeNodes(children.computers(room), ({ id, name, ip }) => ({ name, type: 'computer', id, scope: noNodes, ip }))
  const roomsOf = (center: number) =>
    freezeNodes(children.rooms(center), ({ id, name }) => ({ name, type: 'room', id, scope: computersOf(id) }))
  return freezeNodes(centers, ({ id, name }) => ({ name, type: 'center', id, scope: roomsOf(id) }))
}

const freezeNodes = <Row>(rows: readonly Row[], toNode: (row: Row) => ScopeNode): readonly ScopeNode[] =>
  Object.freeze(rows.map(row => Object.freeze(toNode(row))))

type Nodes = Frozen<ScopeNode[]>

export function findNode(nodes: Nodes, place: { type: string; id: number }): Nodes[number] | undefined {
  for (const node of nodes) {
    if (node.type === place.type && node.id === place.id) return node
    const child = findNode(node.scope, place)
    if (child) return child
  }
  return undefined
}

export const addressesIn = (node: Nodes[number]): string[] =>
  'ip' in node ? [node.ip] : node.scope.flatMap(addressesIn)
