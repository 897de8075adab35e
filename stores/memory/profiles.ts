// Lists of strings that many computers have: each list is stored once, and each string of all lists once.
import type { HardwareItem, Software } from '../store.ts'
import { unpack } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

type Kind = 'hardware' | 'software'

/** The list's strings, as they are looked up. */
export function textsOf(list: string, find: (id: number) => string | undefined): string[] {
  const found: string[] = []
  unpack(list, id => found.push(find(id) ?? ''))
  return found
}

export const fromItems = (items: HardwareItem[]) => items.flatMap(({ type, description }) => [type, description])

export const toItems = (texts: string[]): HardwareItem[] =>
  texts.flatMap((type, at) => (at % 2 === 0 ? [{ type, description: texts[at + 1] ?? '' }] : []))

export const fromSoftware = ({ os, programs }: Software) => [os, ...programs]

export const toSoftware = ([os = '', ...programs]: string[]): Software => ({ os, programs })

/** The profile's texts; none for an unknown id. */
export function read({ all }: Tables, kind: Kind, id: number): string[] {
  return textsOf(all[kind].get(id)?.list ?? '', string => all.strings.get(string)?.name)
}

/** The id of the profile with these texts in this order, made if there is none. */
export function intern(tables: Tables, edit: Edit, kind: Kind, texts: readonly string[]): number {
  const list = pack(tables, edit, texts)
  const known = tables.by[kind].id(list)
  if (known !== undefined) return known
  const id = tables.all[kind].next()
  edit.put(kind, { id, list })
  return id
}

/** The ids of the strings, in order; strings that are new are stored. */
export function pack(tables: Tables, edit: Edit, texts: readonly string[]): string {
  return texts.map(text => internString(tables, edit, text)).join(' ')
}

function internString(tables: Tables, edit: Edit, text: string): number {
  const known = tables.by.strings.id(text)
  if (known !== undefined) return known
  const id = tables.all.strings.next()
  // A line cut from an agent's answer keeps the whole answer in memory: a fresh copy does not.
  const name: string = JSON.parse(JSON.stringify(text))
  edit.put('strings', { id, name })
  return id
}

/** The id of a name in a table of names, made if there is none. */
export function internName(tables: Tables, edit: Edit, kind: 'systems' | 'filesystems', name: string): number {
  const known = tables.by[kind].id(name)
  if (known !== undefined) return known
  const id = tables.all[kind].next()
  edit.put(kind, { id, name })
  return id
}
