// What a restore in rooms would do: how many computers each room has, what they would lose, and which would get nothing.
import type { Frozen, ScopeNode } from '../../../stores/store.ts'
import type { Content, PartitionContents, Rights, Services } from '../../contract/services.ts'
import { groupContents, replaced } from '../preflight/overwrite.ts'

/** So that a response stays within its limit; the counts have all. */
const [mostRefused, mostGroups] = [200, 100]

interface RoomTargets {
  id: number
  name: string
  center: string
  /** The id of the center. */
  center_id: number
  clients: readonly { ip: string; name: string }[]
}

/** The first id that is not that of a room within the limits is a refusal. */
export function findRooms(
  centers: Frozen<ScopeNode[]>,
  ids: readonly number[],
  rights: Rights,
): RoomTargets[] | number {
  const all = centers.flatMap(center => center.scope.map(room => ({ room, center })))
  const rooms: RoomTargets[] = []
  for (const id of new Set(ids)) {
    const entry = rights.hasRoom(id) ? all.find(({ room }) => room.id === id) : undefined
    if (!entry) return id
    const { room, center } = entry
    const clients = room.scope.flatMap(node => ('ip' in node ? [{ ip: node.ip, name: node.name }] : []))
    rooms.push({ id, name: room.name, center: center.name, center_id: center.id, clients })
  }
  return rooms
}

/** Counts by room; `reasons`: why computers get nothing, by address. */
export function previewRooms(
  rooms: readonly RoomTargets[],
  reasons: ReadonlyMap<string, string>,
  { fleet, sessions }: Pick<Services, 'fleet' | 'sessions'>,
) {
  const inUse = new Set(sessions.list().map(({ client }) => client))
  const refused = rooms.flatMap(({ name: room, clients }) =>
    clients.flatMap(({ ip: client, name }) => {
      const reason = reasons.get(client)
      return reason === undefined ? [] : [{ client, name, room, reason }]
    }),
  )
  return {
    computers: rooms.reduce((sum, { clients }) => sum + clients.length, 0),
    rooms: rooms.map(({ id, name, center, clients }) => ({
      id,
      name,
      center,
      computers: clients.length,
      off: clients.filter(({ ip }) => !fleet.has(ip)).length,
      in_use: clients.filter(({ ip }) => inUse.has(ip)).length,
      refused: clients.filter(({ ip }) => reasons.has(ip)).length,
    })),
    refused: refused.slice(0, mostRefused),
  }
}

/** What it would overwrite. */
export function previewContents(clients: readonly string[], contents: PartitionContents) {
  const unknown: Content = { system: '', filesystem: '', another_system: false }
  return {
    system: contents.system,
    content: groupContents(clients.map(client => contents.byClient.get(client) ?? unknown)).slice(0, mostGroups),
    overwrites: replaced(contents).length,
  }
}
