// The rows of a store that an import fills, and the dump that the store loads.
import { collectionOrder } from '../../../stores/rules/collection-order.ts'
import type { Collections, Entry } from '../../../stores/store.ts'
import type { SiteReport } from './site-report.ts'
import type { SourceDatabase } from './source-database.ts'
import type { SourceRow } from './source-row.ts'
import type { SourceTable } from './source-tables.ts'

/** Collections that no import fills. */
const otherCollections = ['tokens', 'users', 'errands', 'jobs', 'parts'] as const

export type SiteCollection = Exclude<keyof Collections, (typeof otherCollections)[number]>

/** Each after those that its rows name. */
const siteCollections = collectionOrder.filter(
  (name): name is SiteCollection => !otherCollections.some(other => other === name),
)

type SiteRows = { readonly [Name in SiteCollection]: Map<number, Collections[Name]> }

export interface Site extends SiteRows {
  /** The last id that each collection has assigned, also to a row that is left out or deleted. */
  readonly last: Map<SiteCollection, number>
}

/** Checks values with the schemas of the built-in commands, so that nothing is stored that the daemon would refuse. */
export interface CommandChecks {
  /** Why the command does not take the payload. */
  mismatch(command: string, payload: object): string | undefined
  /** The same for the parameters of a step, which gets its clients when it runs. */
  stepMismatch(command: string, params: Record<string, unknown>): string | undefined
}

/** What every reader of a table works with. */
export interface SiteImport {
  source: SourceDatabase
  report: SiteReport
  checks: CommandChecks
  site: Site
}

export function createSite(): Site {
  const rows = Object.fromEntries(siteCollections.map(name => [name, new Map()]))
  return { ...(rows as SiteRows), last: new Map() } // The names are those of its keys, and all maps are empty.
}

/** The dump of a store with these rows. */
export async function* toEntries(site: Site): AsyncGenerator<Entry> {
  for (const name of siteCollections) {
    const rows: ReadonlyMap<number, Collections[typeof name]> = site[name]
    let last = site.last.get(name) ?? 0
    for (const id of rows.keys()) last = Math.max(last, id)
    // Partitions have the ids of their computers.
    if (last > 0 && name !== 'partitions') yield [name, last]
    for (const row of rows.values()) yield [name, row]
  }
}

/** Reads the rows of a table that becomes a collection with the same ids, and remembers the last id. */
export async function* rowsWithIds(
  { source, site }: SiteImport,
  table: SourceTable,
  collection: SiteCollection,
): AsyncGenerator<{ row: SourceRow; id: number }> {
  let last = await source.lastId(table)
  for await (const row of source.rows(table)) {
    const id = Number(row.id)
    last = Math.max(last, id)
    if (Number.isSafeInteger(id) && id > 0) yield { row, id }
    else row.drop('expected an id from 1 on')
  }
  site.last.set(collection, last)
}

/** Keeps the rows that become a record; the others are left out with the reason that `toRecord` returns. */
export async function keepRows<Name extends SiteCollection>(
  task: SiteImport,
  table: SourceTable,
  collection: Name,
  toRecord: (row: SourceRow, id: number, names: FirstRows) => Collections[Name] | string,
): Promise<void> {
  const rows: SiteRows = task.site
  const names = new FirstRows()
  for await (const { row, id } of rowsWithIds(task, table, collection)) {
    const record = toRecord(row, id, names)
    if (typeof record === 'string') row.drop(record)
    else rows[collection].set(id, record)
  }
}

/** Names and addresses that only one row may have: the first one in the order of the ids keeps it. */
export class FirstRows {
  readonly #ids = new Map<string, string>()

  /** The row that has the key already; undefined when this is the first one. */
  holder(key: string, { table, id }: SourceRow): string | undefined {
    const first = this.#ids.get(key)
    if (first === undefined) this.#ids.set(key, id)
    return first === undefined ? undefined : `the same as that of ${table} ${first}`
  }

  /** The reason why a row is left out, if another one has the key. */
  conflict(key: string, row: SourceRow, column: string): string | undefined {
    const holder = this.holder(key, row)
    return holder && `${column}: ${holder}`
  }
}
