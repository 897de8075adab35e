// What a job's report says of all its computers: the counts of each room, and when the job has ended.
import type { IndexedPart, SlicesService } from 'fleet-host'
import { countOutcomes } from './_computer-outcome.ts'
import type { Row } from './_report-rows.ts'

/** In the order of the rows. */
export async function countRooms(rows: readonly Row[], { forEach }: SlicesService) {
  const rooms = new Map<string, Row[]>()
  await forEach(rows, row => {
    const key = JSON.stringify([row.center, row.room])
    if (!rooms.get(key)?.push(row)) rooms.set(key, [row])
  })
  return [...rooms.values()].map(own => ({
    room: own[0]?.room ?? '',
    center: own[0]?.center ?? '',
    ...countOutcomes(own),
  }))
}

/** The ISO time of the last end; undefined while something runs or waits. */
export function endOf(parts: readonly IndexedPart[]): string | undefined {
  if (parts.some(({ state }) => state === 'queued' || state === 'sent')) return undefined
  return new Date(parts.reduce((last, { ended }) => Math.max(last, ended), 0)).toISOString()
}
