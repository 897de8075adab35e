// Keeps what was counted as hours, and makes days of them. Each part of the time is counted once.
import type { Collection, StoredDocument } from 'fleet-host'
import { addRooms } from './_usage-counts.ts'
import type { Context, RoomCounts } from './_usage-schemas.ts'

/** RoomCounts of one document: so it stays far below the 64 kB that one may have. */
const roomsOfDocument = 100
const pageSize = 200
/** Of a document that others change at the same time. */
const mostTries = 20

export const hourSeconds = 3600

/** `2026-03-02T08`, in UTC: in each time zone an hour that occurs twice is two. */
export const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13)

/** `2026-03-02`, in the time zone of the daemon. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toLocaleDateString('sv-SE')

export const startOfHour = (hour: string): number => Date.parse(`${hour}:00:00Z`)

/** Midnight in the time zone of the daemon; `days` later when it is given. */
export function startOfDay(day: string, days = 0): number {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + days)
  return date.getTime()
}

const documentOf = (time: string, room: number | string) => `${time}/${Math.floor(Number(room) / roomsOfDocument)}`

/** The rooms of each document. */
function byDocument(time: string, rooms: RoomCounts): Map<string, RoomCounts> {
  const documents = new Map<string, RoomCounts>()
  for (const [room, counts] of Object.entries(rooms)) {
    const key = documentOf(time, room)
    documents.set(key, { ...documents.get(key), [room]: counts })
  }
  return documents
}

/**
 * Adds to an hour. `observed`: the seconds since 1970 from and until which the rooms were observed; of time that is in
 * the document already, counted by another host or before the clock was set back, nothing is added.
 */
export async function addToHour(
  { collections: { hours } }: Pick<Context, 'collections'>,
  hour: string,
  rooms: RoomCounts,
  observed?: { from: number; until: number },
): Promise<void> {
  for (const [key, more] of byDocument(hour, rooms)) {
    await change(hours, key, stored => {
      const value = stored ?? { until: 0, observed: 0, rooms: {} }
      if (observed && observed.from < value.until) return undefined
      const sum = structuredClone(value.rooms)
      addRooms(sum, more)
      if (!observed) return { ...value, rooms: sum }
      return { until: observed.until, observed: value.observed + observed.until - observed.from, rooms: sum }
    })
  }
}

async function change<Value>(
  collection: Collection<Value>,
  key: string,
  update: (value: Value | undefined) => Value | undefined,
): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const stored = await collection.get(key)
    const value = update(stored?.value)
    if (value === undefined) return
    if ((await collection.put(key, value, { version: stored?.version ?? 0 })) !== undefined) return
  }
  throw new Error(`${key}: others change it all the time`)
}

/** The documents from one key to before another. */
export async function* between<Value>(
  collection: Collection<Value>,
  from: string,
  until: string,
): AsyncGenerator<StoredDocument<Value>> {
  for (let after = from; ; ) {
    const page = await collection.list({ after, limit: pageSize })
    for (const document of page) {
      if (document.key >= until) return
      yield document
    }
    after = page.at(-1)?.key ?? after
    if (page.length < pageSize) return
  }
}

/** The last day that is stored as one. A clock that was wrong may have made it one that is still to come. */
export async function lastDay({ collections, services }: Context): Promise<string> {
  const { day = '' } = (await collections.progress.get('days'))?.value ?? {}
  const today = dayOf(services.now())
  return day < today ? day : dayOf(startOfDay(today, -2))
}

/** Makes days of the hours until yesterday; done again, it makes the same. */
export async function makeDays(context: Context): Promise<void> {
  const { collections, services } = context
  // What has happened in the last hour of a day may be counted a moment later.
  const end = startOfDay(dayOf(services.now() - hourSeconds * 1000))
  const last = await lastDay(context)
  const first = last === '' ? '' : hourOf(startOfDay(last, 1))
  let open: { day: string; documents: Map<string, { observed: number; rooms: RoomCounts }> } | undefined
  const store = async () => {
    for (const [key, value] of open?.documents ?? []) await collections.days.put(key, value)
    if (open) await collections.progress.put('days', { day: open.day })
  }
  for await (const { key, value } of between(collections.hours, first, hourOf(end))) {
    const [hour = '', part = ''] = key.split('/')
    const day = dayOf(startOfHour(hour))
    if (open?.day !== day) {
      await store()
      open = { day, documents: new Map() }
    }
    const document = open.documents.get(`${day}/${part}`) ?? { observed: 0, rooms: {} }
    document.observed += value.observed
    addRooms(document.rooms, structuredClone(value.rooms))
    open.documents.set(`${day}/${part}`, document)
    await services.slices.pause()
  }
  await store()
}
