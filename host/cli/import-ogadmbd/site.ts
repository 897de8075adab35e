// The rows of a store that an import fills, and the dump that the store loads.
import { collectionOrder } from '../../../stores/rules/collection-order.ts'
import type { Collections, Entry } from '../../../stores/store.ts'
import type { CommandChecks } from './command-checks.ts'
import type { SiteReport } from './site-report.ts'
import type { SourceDatabase, SourceRow } from './source-database.ts'
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
    const last = Math.max(site.last.get(name) ?? 0, ...(rows.size > 0 ? [lastOf(rows)] : []))
    // Partitions have the ids of their computers.
    if (last > 0 && name !== 'partitions') yield [name, last]
    for (const row of rows.values()) yield [name, row]
  }
}

function lastOf(rows: ReadonlyMap<number, unknown>): number {
  let last = 0
  for (const id of rows.keys()) last = Math.max(last, id)
  return last
}

/** Reads the rows of a table that becomes a collection with the same ids, and remembers the last id. */
export async function* rowsWithIds(
  { source, report, site }: SiteImport,
  table: SourceTable,
  collection: SiteCollection,
): AsyncGenerator<{ row: SourceRow; id: number }> {
  let last = await source.lastId(table)
  for await (const row of source.rows(table)) {
    const id = Number(row.id)
    last = Math.max(last, id)
    if (Number.isSafeInteger(id) && id > 0) yield { row, id }
    else report.dropRow(row, 'expected an id from 1 on')
  }
  site.last.set(collection, last)
}

/** Keeps the rows that become a record; the others are left out with the reason that `toRecord` returns. */
export async function keepRows<Name extends SiteCollection>(
  task: SiteImport,
  table: SourceTable,
  collection: Name,
  toRecord: (row: SourceRow, id: number) => Collections[Name] | string,
): Promise<void> {
  const rows: SiteRows = task.site
  for await (const { row, id } of rowsWithIds(task, table, collection)) {
    const record = toRecord(row, id)
    if (typeof record === 'string') task.report.dropRow(row, record)
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

/** Why a column cannot name the row `id` of another table. */
export const absenceReason = (table: SourceTable, id: number): string =>
  id === 0 ? 'it has none' : `there is no ${table} ${id}, or it is left out`

/** The same with the column, for a row that is left out. */
export const missingReason = (column: string, table: SourceTable, id: number): string =>
  `${column}: ${absenceReason(table, id)}`
