// The documents of the store that the history consists of, whose values are compressed.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Documents } from '../../stores/store.ts'

/** Keys: an hour, `2026-09-14T08`, in UTC. */
export const countsCollection = { pack: '', collection: 'history-counts' }

/** Keys: a day in UTC, and which hundred of the ids of computers, `2026-09-14/3`. */
export const changesCollection = { pack: '', collection: 'history-changes' }

const computersOfDocument = 100

/** Milliseconds between two counts. */
export const tick = 300_000
export const hour = 3_600_000
export const day = 86_400_000

export const hourKey = (time: number): string => new Date(time).toISOString().slice(0, 13)
export const dayKey = (time: number): string => new Date(time).toISOString().slice(0, 10)
export const changesKey = (time: number, id: number): string =>
  `${dayKey(time)}/${Math.floor(id / computersOfDocument)}`

/** As text, which all engines store. */
export const compress = (value: unknown): string =>
  deflateRawSync(JSON.stringify(value), { level: 9 }).toString('base64')

export const expand = (text: string) => JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString())

/** The counts of the hours from that of one time to that of another. */
export async function* listHours(documents: Documents, from: number, to: number) {
  for await (const { key, value } of listBetween(documents, countsCollection, hourKey(from - hour), hourKey(to + hour)))
    yield { start: Date.parse(`${key}:00:00Z`), value }
}

/** Documents of one read. */
const pageSize = 50

/** Those after one key and before another. */
export async function* listBetween(
  documents: Documents,
  collection: typeof countsCollection,
  from: string,
  to: string,
) {
  for (let after: string | undefined = from; after !== undefined; ) {
    const page = await documents.list(collection, { after, limit: pageSize })
    for (const document of page) {
      if (document.key >= to) return
      yield document
    }
    after = page.length < pageSize ? undefined : page.at(-1)?.key
  }
}
