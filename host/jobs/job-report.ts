// Reports what became of each computer of a job: who has the image, who not, and why.
import { isUnfinished } from '../../stores/rules/part-states.ts'
import type { Frozen, IndexedPart, Job, PartCounts, PartPage, ScopeNode, Store } from '../../stores/store.ts'
import type { PartWait, ReportQuery } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'

/** Computers of one response, so that it stays within the response limit. */
const pageSize = 500

/** Parts that are read from the store at once. */
const readParts = 5000

type Row = ReturnType<typeof outcomeOf> & {
  client: string
  name: string
  room: string
  center: string
  waiting: PartWait | undefined
}

export interface FoundJob {
  job: Job & { counts: PartCounts }
  /** The only computers that a limited caller sees. */
  clients?: string[] | undefined
}

interface ReportedJob extends FoundJob {
  /** To be called for the parts of a client in their order. */
  waitOf(part: IndexedPart & { job: number }): PartWait | undefined
}

export async function reportJob(
  { job, clients, waitOf }: ReportedJob,
  { restoredBy, onlyMissing, after }: ReportQuery,
  store: Pick<Store, 'jobs' | 'scopes'>,
): Promise<object> {
  const parts = await allParts(store, job.id, { clients })
  const rows = await reportRows({ job, waitOf }, restoredBy, parts, await store.scopes())
  const listed = onlyMissing ? rows.filter(row => !hasIt(row) || row.unconfirmed) : rows
  const next = after + pageSize
  return {
    id: job.id,
    name: job.name,
    retry_of: job.retry_of,
    created: timeText(job.created),
    ended: endOf(parts),
    ...countOutcomes(rows),
    rooms: await countRooms(rows),
    computers: listed.slice(after, next),
    next: next < listed.length ? next : undefined,
  }
}

export async function allParts(
  { jobs }: Pick<Store, 'jobs'>,
  job: number,
  filter: Pick<PartPage, 'clients' | 'state'> = {},
): Promise<IndexedPart[]> {
  const parts: IndexedPart[] = []
  for (let after = -1, length = readParts; length === readParts; ) {
    const page = await jobs.parts(job, { ...filter, after, limit: readParts, outputs: false })
    for (const part of page) parts.push(part)
    after = page.at(-1)?.index ?? after
    length = page.length
  }
  return parts
}

/** By center, room and name, as people count: pc-9 before pc-10. */
async function reportRows(
  { job, waitOf }: ReportedJob,
  restoredBy: string,
  parts: readonly IndexedPart[],
  centers: Frozen<ScopeNode[]>,
): Promise<Row[]> {
  const seats = await seatsOf(centers)
  const byClient = await grouped(parts, ({ client }) => client)
  const rows: Row[] = []
  await slices.forEach(byClient, ([client, own]) => {
    const outcome = outcomeOf(job, restoredBy, own)
    const waits = own.map(part => waitOf({ ...part, job: job.id }))
    const waiting = outcome.state === 'queued' ? waits[own.findIndex(isUnfinished)] : undefined
    rows.push({ client, ...(seats.get(client) ?? nowhere), ...outcome, waiting })
  })
  return slices.sort(rows, compareRows)
}

export async function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Promise<Map<string, Item[]>> {
  const groups = new Map<string, Item[]>()
  await slices.forEach(items, item => {
    const key = keyOf(item)
    if (!groups.get(key)?.push(item)) groups.set(key, [item])
  })
  return groups
}

const nowhere = { name: '', room: '', center: '' }

/** Name, room and center of each computer by its address. */
async function seatsOf(centers: Frozen<ScopeNode[]>) {
  const seats = new Map<string, typeof nowhere>()
  const rooms = centers.flatMap(({ name: center, scope }) => scope.map(room => ({ center, room })))
  await slices.forEach(rooms, ({ center, room }) => {
    for (const node of room.scope) if ('ip' in node) seats.set(node.ip, { name: node.name, room: room.name, center })
  })
  return seats
}

const { compare } = new Intl.Collator('en', { numeric: true })
const sortKeys = ['center', 'room', 'name', 'client'] as const

function compareRows(one: Row, other: Row): number {
  const key = sortKeys.find(each => one[each] !== other[each])
  return key ? compare(one[key], other[key]) : 0
}

/**
 * The outcome of the first part of a computer that did not succeed. `has_image` is absent for jobs that restore none,
 * whose command is `restoredBy`: its success means that the computer has the image.
 */
export function outcomeOf(job: Job, restoredBy: string, parts: readonly IndexedPart[]) {
  const inOrder = parts.toSorted((one, other) => one.step - other.step)
  const open = inOrder.find(({ state }) => state === 'sent') ?? inOrder.find(isUnfinished)
  const missed = inOrder.find(part => part.state !== 'success' && !isUnfinished(part))
  const decisive = missed ?? open
  const copies = inOrder.filter(({ step }) => job.steps[step]?.command === restoredBy)
  const unconfirmed = copies.find(({ state, reason }) => state === 'success' && reason !== '')
  const last = missed ?? (open ? undefined : (copies.at(-1) ?? inOrder.at(-1)))
  return {
    state: decisive?.state ?? 'success',
    has_image: copies.length > 0 ? copies.every(({ state }) => state === 'success') : undefined,
    unconfirmed: unconfirmed ? true : undefined,
    reason: decisive?.reason || unconfirmed?.reason || undefined,
    command: decisive && job.steps[decisive.step]?.command,
    started: timeText(inOrder.find(({ sent }) => sent > 0)?.sent ?? 0),
    ended: timeText(last?.ended ?? 0),
  }
}

/** Whether it has the image; in a job that restores none: whether it has succeeded. */
const hasIt = ({ state, has_image }: Row): boolean => has_image ?? state === 'success'

function countOutcomes(rows: readonly Row[]) {
  const others = rows.filter(row => !hasIt(row))
  return {
    total: rows.length,
    has: rows.length - others.length,
    unconfirmed: rows.filter(({ unconfirmed }) => unconfirmed).length,
    open: others.filter(isUnfinished).length,
    missing: others.filter(row => !isUnfinished(row)).length,
  }
}

/** In the order of the rows. */
async function countRooms(rows: readonly Row[]) {
  const rooms = await grouped(rows, ({ center, room }) => JSON.stringify([center, room]))
  return [...rooms.values()].map(own => ({
    room: own[0]?.room ?? '',
    center: own[0]?.center ?? '',
    ...countOutcomes(own),
  }))
}

/** The ISO time of the last end; undefined while something runs or waits. */
export const endOf = (parts: readonly IndexedPart[]): string | undefined =>
  parts.some(isUnfinished)
    ? undefined
    : new Date(parts.reduce((last, { ended }) => Math.max(last, ended), 0)).toISOString()

/** The ISO form of a time of a job; undefined when there is none. */
export const timeText = (milliseconds: number) =>
  milliseconds === 0 ? undefined : new Date(milliseconds).toISOString()
