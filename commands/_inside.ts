// What a caller whose rights are limited sees of the centers, rooms and computers.
import type { Frozen, Rights, ScopeNode } from 'fleet-host'

type Tree = Frozen<ScopeNode[]>

/** The centers that it reaches, with its own rooms. */
export const insideTree = (centers: Tree, rights: Rights): Tree =>
  centers
    .filter(({ id }) => rights.reachesCenter(id))
    .map(center =>
      'ip' in center ? center : { ...center, scope: center.scope.filter(({ id }) => rights.hasRoom(id)) },
    )

/** The addresses of its computers. */
export function insideClients(centers: Tree, rights: Rights): string[] {
  const rooms = insideTree(centers, rights).flatMap(({ scope }) => scope)
  return rooms.flatMap(({ scope }) => scope).flatMap(node => ('ip' in node ? [node.ip] : []))
}
