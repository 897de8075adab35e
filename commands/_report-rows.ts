// The rows of a job's report: one for each computer, and the counts of each room.
import type { Frozen, IndexedPart, Job, ScopeNode } from 'fleet-host'
import { type ComputerOutcome, computerOutcome, countOutcomes } from './_computer-outcome.ts'

type Row = ComputerOutcome & { client: string; name: string; room: string; center: string }

const nowhere = { name: '', room: '', center: '' }

/** By center, room and name, as people count: pc-9 before pc-10. */
export function reportRows(job: Job, parts: readonly IndexedPart[], centers: Frozen<ScopeNode[]>): Row[] {
  const places = placesOf(centers)
  const rows = [...partsByClient(parts)].map(
    ([client, own]): Row => ({ client, ...(places.get(client) ?? nowhere), ...computerOutcome(job, own) }),
  )
  const { compare } = new Intl.Collator('en', { numeric: true })
  const keys = ['center', 'room', 'name', 'client'] as const
  return rows.sort((one, other) => {
    const key = keys.find(each => one[each] !== other[each])
    return key ? compare(one[key], other[key]) : 0
  })
}

export function countRooms(rows: readonly Row[]) {
  const rooms = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.center, row.room])
    if (!rooms.get(key)?.push(row)) rooms.set(key, [row])
  }
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

function partsByClient(parts: readonly IndexedPart[]): Map<string, IndexedPart[]> {
  const byClient = new Map<string, IndexedPart[]>()
  for (const part of parts) if (!byClient.get(part.client)?.push(part)) byClient.set(part.client, [part])
  return byClient
}

const placesOf = (centers: Frozen<ScopeNode[]>) =>
  new Map(
    centers.flatMap(({ name: center, scope }) =>
      scope.flatMap(({ name: room, scope: computers }) =>
        computers.flatMap(node => ('ip' in node ? [[node.ip, { name: node.name, room, center }] as const] : [])),
      ),
    ),
  )
