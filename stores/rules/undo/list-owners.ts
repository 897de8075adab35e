// Lists of addresses that come back after computers in them have got others: the same for every engine.
import type { Entry } from '../../types.ts'
import { addressLists, createFollow } from '../moved-addresses.ts'
import type { FormerValues, Row, UndoRows } from './kept-entries.ts'

const listNameOf = (collection: string) => addressLists.find(name => name === collection)

// `as`: the lists of these collections are of texts.
const clientsOf = (row: object | number) => (Reflect.get(Object(row), 'clients') ?? []) as string[]

/** All that deleted and former lists have. */
export function addressesOf(removed: readonly Entry[], edited: readonly FormerValues[]): string[] {
  const rows = [...removed, ...edited].filter(([name]) => listNameOf(name))
  return [...new Set(rows.flatMap(([, row]) => clientsOf(row)))]
}

/** With the present addresses of the computers in lists. */
export function withPresentAddresses(rows: UndoRows, computers: readonly Row[]): UndoRows {
  const present = new Map(computers.map(({ id, ip }) => [id, String(ip)]))
  const follow = createFollow(new Map(rows.owners.map(([ip, id]) => [ip, present.get(id) ?? ip])))
  const inRow = <Kept extends Entry | FormerValues>(kept: Kept): Kept => {
    const [collection, row] = kept
    const name = listNameOf(collection)
    const clients = name && follow(name, { id: 0, clients: clientsOf(row) })
    // `as`: the same row with other addresses.
    return clients ? ([collection, { ...Object(row), clients }] as unknown as Kept) : kept
  }
  return { ...rows, removed: rows.removed.map(inRow), edited: rows.edited.map(inRow) }
}
