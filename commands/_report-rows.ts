// The rows of a job's report, one for each computer.
import type { Frozen, IndexedPart, Job, ScopeNode, SlicesService, Store } from 'fleet-host'
import { type ComputerOutcome, computerOutcome } from './_computer-outcome.ts'

export type Row = ComputerOutcome & { client: string; name: string; room: string; center: string }

const nowhere = { name: '', room: '', center: '' }

/** Parts that are read from the store at once. */
const readParts = 5000

export async function allParts(store: Store, job: number, clients: string[] | undefined): Promise<IndexedPart[]> {
  const parts: IndexedPart[] = []
  for (let after = -1, length = readParts; length === readParts; ) {
    const page = await store.jobs.parts(job, { after, limit: readParts, outputs: false, ...(clients && { clients }) })
    for (const part of page) parts.push(part)
    after = page.at(-1)?.index ?? after
    length = page.length
  }
  return parts
}

const { compare } = new Intl.Collator('en', { numeric: true })
const sortKeys = ['center', 'room', 'name', 'client'] as const

function compareRows(one: Row, other: Row): number {
  const key = sortKeys.find(each => one[each] !== other[each])
  return key ? compare(one[key], other[key]) : 0
}

/** By center, room and name, as people count: pc-9 before pc-10. */
export async function reportRows(
  job: Job,
  parts: readonly IndexedPart[],
  centers: Frozen<ScopeNode[]>,
  slices: SlicesService,
): Promise<Row[]> {
  const places = await placesOf(centers, slices)
  const byClient = new Map<string, IndexedPart[]>()
  await slices.forEach(parts, part => {
    if (!byClient.get(part.client)?.push(part)) byClient.set(part.client, [part])
  })
  const rows: Row[] = []
  await slices.forEach(byClient, ([client, own]) => {
    rows.push({ client, ...(places.get(client) ?? nowhere), ...computerOutcome(job, own) })
  })
  return slices.sort(rows, compareRows)
}

/** Name, room and center of each computer by its address. */
async function placesOf(centers: Frozen<ScopeNode[]>, { forEach }: SlicesService) {
  const places = new Map<string, typeof nowhere>()
  const rooms = centers.flatMap(({ name: center, scope }) => scope.map(room => ({ center, room })))
  await forEach(rooms, ({ center, room }) => {
    for (const node of room.scope) if ('ip' in node) places.set(node.ip, { name: node.name, room: room.name, center })
  })
  return places
}
