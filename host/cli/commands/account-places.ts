// The rooms and centers of accounts: from options to ids, and from ids to names.
import type { ApiClient } from '../api/client.ts'
import { findId } from '../api/records.ts'
import { readScopes } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'

export interface PlaceFlags {
  room?: string[]
  center?: string[]
  allRooms?: true
}

/** The keys `rooms` and `centers` of a payload. An update with one of the options replaces both. */
export async function placesOf(api: ApiClient, { room, center, allRooms }: PlaceFlags) {
  if (allRooms && (room || center))
    throw usageError('--all-rooms: expected no --room and no --center with it, got both')
  if (!room && !center && !allRooms) return {}
  const idsOf = (kind: 'room' | 'center', texts: string[] = []) =>
    Promise.all(texts.map(text => findId(api, kind, `--${kind}`, text)))
  return { rooms: await idsOf('room', room), centers: await idsOf('center', center) }
}

/** Describes the centers and rooms of an account with their names; ids of deleted ones stay. */
export async function createPlaceNames(
  api: ApiClient,
): Promise<(row: { rooms: number[]; centers: number[] }) => string> {
  const { rooms, centers } = await readScopes(api)
  const names = (ids: number[], entries: { id: number; name: string }[]) =>
    ids.map(id => entries.find(each => each.id === id)?.name ?? `${id}`)
  return row => [...names(row.centers, centers), ...names(row.rooms, rooms)].join(', ') || 'all'
}
