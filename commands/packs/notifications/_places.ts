// The names and rooms of computers, for messages.
import type { Services } from 'fleet-host'

export interface Places {
  /** Room 0 and the address as name for a client without a record. */
  of(client: string): { room: number; name: string }
  /** The name of a room, '' when it has none. */
  nameOf(room: number): string
}

export async function findPlaces(clients: readonly string[], { store }: Pick<Services, 'store'>): Promise<Places> {
  const computers = await store.computers.findMany([...new Set(clients)])
  const rooms = new Map((await store.rooms.list()).map(({ id, name }) => [id, name]))
  const places = new Map(computers.map(({ ip, room, name }) => [ip, { room, name }]))
  return {
    of: client => places.get(client) ?? { room: 0, name: client },
    nameOf: room => rooms.get(room) ?? '',
  }
}
