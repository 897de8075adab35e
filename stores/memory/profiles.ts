// Lists of strings that many computers have: each list is stored once, and each string of all lists once.
import type { HardwareItem, Software } from '../store.ts'
import { forEachStringId, stringIdsOf } from './tables/profile-lists.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

type ProfileTable = 'hardware' | 'software'

/** The list's strings; `stringOf` looks up one string. */
export function textsOf(list: string, stringOf: (id: number) => string | undefined): string[] {
  const texts: string[] = []
  forEachStringId(list, id => texts.push(stringOf(id) ?? ''))
  return texts
}

export const toHardwareTexts = (items: HardwareItem[]): string[] =>
  items.flatMap(({ type, description }) => [type, description])

export const toHardwareItems = (texts: string[]): HardwareItem[] =>
  texts.flatMap((type, at) => (at % 2 === 0 ? [{ type, description: texts[at + 1] ?? '' }] : []))

export const toSoftwareTexts = ({ os, programs }: Software): string[] => [os, ...programs]

export const toSoftware = ([os = '', ...programs]: string[]): Software => ({ os, programs })

/** The profile's texts; none for an unknown id. */
export function readProfile({ all }: Tables, table: ProfileTable, id: number): string[] {
  return textsOf(all[table].get(id)?.list ?? '', string => all.strings.get(string)?.name)
}

/** Whether a string meets the test, by its id: each one is tested once, however many lists have it. */
export function stringTest({ all: { strings } }: Tables, test: (text: string) => boolean): (id: number) => boolean {
  const results = new Int8Array(strings.last + 1)
  return id => {
    results[id] ||= test(strings.get(id)?.name ?? '') ? 1 : -1
    return results[id] === 1
  }
}

/** The strings that describe the devices of a type, or of any type for ''. */
export function devicesOf({ all: { strings } }: Tables, row: Rows['hardware'] | undefined, type: string): Uint32Array {
  const wanted = strings.idOf(type)
  return stringIdsOf(row).filter((_, at, ids) => at % 2 === 1 && (type === '' || ids[at - 1] === wanted))
}

/** The operating system of a list of software, '' for an unknown id: its first string, without a look at the others. */
export function readSystem({ all }: Tables, id: number): string {
  const [first = ''] = (all.software.get(id)?.list ?? '').split(' ', 1)
  return all.strings.get(Number(first))?.name ?? ''
}

/** The id of the profile with these texts in this order; creates it if there is none, with its `former` id if it has one. */
export function internProfile(
  tables: Tables,
  transaction: Transaction,
  table: ProfileTable,
  texts: readonly string[],
  former?: number,
): number {
  const list = internStrings(tables, transaction, texts)
  const existing = tables.all[table].idOf(list)
  if (existing !== undefined) return existing
  const id = former ?? tables.all[table].nextId()
  transaction.put(table, { id, list })
  return id
}

/** The profile list of these texts; stores the strings that are new. */
export function internStrings(tables: Tables, transaction: Transaction, texts: readonly string[]): string {
  return texts.map(text => internName(tables, transaction, 'strings', text)).join(' ')
}

/** The id of a name in a table of names; creates the row if there is none, with its `former` id if it has one. */
export function internName(
  tables: Tables,
  transaction: Transaction,
  table: 'strings' | 'systems' | 'filesystems',
  text: string,
  former?: number,
): number {
  const existing = tables.all[table].idOf(text)
  if (existing !== undefined) return existing
  const id = former ?? tables.all[table].nextId()
  // A substring of an agent's reply keeps the whole reply in memory; a new string does not.
  const name: string = JSON.parse(JSON.stringify(text))
  transaction.put(table, { id, name })
  return id
}
