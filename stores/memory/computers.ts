// Managed computers.
import { records } from '../records/all-records.ts'
import { type ExistingRecords, findMergeConflicts } from '../rules/computer-conflicts.ts'
import { addressLists, arrivalsOf, createFollow, type FormerList, movesOf } from '../rules/moved-addresses.ts'
import type { Computer, ComputerChange, Frozen, New, Store } from '../store.ts'
import { recordTable } from './record-table.ts'
import { search } from './search.ts'
import { searchValues } from './search-values.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

type ComputerWithCenter = Frozen<Computer & { center: number }>

export function computers(context: StoreContext): Store['computers'] {
  const { tables, mutate } = context
  const { all } = tables
  const find = createFind(tables)
  const existing = existingIn(tables)
  const rows = recordTable(tables, 'computers')
  const rowsAt = (ips: string[]) => [...new Set(ips)].flatMap(ip => all.computers.at(ip) ?? [])

  return {
    find: async ip => find(ip),
    async findMany(ips) {
      return [...new Set(ips)].flatMap(ip => find(ip) ?? [])
    },
    async list(room) {
      return room === undefined ? rows.list() : tables.computersOfRoom.ids(room).flatMap(id => rows.find(id) ?? [])
    },

    search: search(context),
    searchValues: searchValues(context),

    add: computers =>
      mutate(transaction => {
        const values = computers.map(({ ip, room, repo_id }) => ({ ip, room, repo_id }))
        const conflicts = findMergeConflicts(values, existing)
        if (conflicts.length > 0) return conflicts
        for (const computer of computers) rows.add(transaction, computer)
        return []
      }),
    update: (ips, change) =>
      mutate(transaction => {
        const changes = rowsAt(ips).map(({ id }) => ({ ...change, id }))
        const { conflicts } = mergeComputers(tables, transaction, changes)
        return conflicts[0]?.reason ?? 'updated'
      }),
    merge: changes => mutate(transaction => mergeComputers(tables, transaction, changes)),
    delete: ips =>
      mutate(transaction =>
        ips.flatMap(ip => {
          const id = all.computers.idOf(ip)
          return id === undefined ? [] : removeComputer(tables, transaction, id)
        }),
      ),
  }
}

export function mergeComputers(
  tables: Tables,
  transaction: Transaction,
  changes: readonly (New<Computer> | ComputerChange)[],
  former?: readonly FormerList[],
): Awaited<ReturnType<Store['computers']['merge']>> {
  const rows = recordTable(tables, 'computers')
  const conflicts = findMergeConflicts(changes, existingIn(tables))
  if (conflicts.length > 0) return { conflicts, before: [] }
  const stored = changes.filter(change => 'id' in change)
  const before = stored.flatMap(({ id }) => rows.find(id) ?? [])
  for (const change of changes) {
    if ('id' in change) rows.change(transaction, change.id, change)
    else rows.add(transaction, change)
  }
  moveAddresses(tables, transaction, movesOf(before, stored), former)
  return { conflicts, before }
}

function moveAddresses(
  tables: Tables,
  transaction: Transaction,
  moves: ReadonlyMap<string, string>,
  former?: readonly FormerList[],
): void {
  if (moves.size === 0) return
  const [follow, arrivals] = [createFollow(moves, former), arrivalsOf(moves)]
  for (const name of addressLists) {
    const rows = recordTable(tables, name)
    for (const row of rows.list()) {
      const { id, clients: before = [] } = row
      if (before.some(addr => arrivals.has(addr))) transaction.formerLists.push({ name, id, clients: before })
      const clients = follow(name, row)
      if (clients) rows.change(transaction, row.id, { clients })
    }
  }
}

/** Returns the same frozen object while neither the row nor its center changes. */
function createFind({ all }: Tables): (ip: string) => ComputerWithCenter | undefined {
  const results = new WeakMap<Rows['computers'], ComputerWithCenter>()
  return ip => {
    const row = all.computers.at(ip)
    if (!row) return undefined
    const center = all.rooms.get(row.room)?.center ?? 0
    const previous = results.get(row)
    if (previous?.center === center) return previous
    const computer = Object.freeze({ ...records.computers.read(row), center })
    Object.freeze(computer.place)
    Object.freeze(computer.tags)
    results.set(row, computer)
    return computer
  }
}

/** Removes its partitions too; lists that only it used are deleted at the end of the transaction. */
export function removeComputer({ all }: Tables, transaction: Transaction, id: number): Computer[] {
  const computer = all.computers.get(id)
  if (!computer) return []
  if (all.partitions.get(id)) transaction.delete('partitions', id)
  transaction.delete('computers', id)
  return [records.computers.read(computer)]
}

const existingIn = ({ all }: Tables): ExistingRecords => ({
  computer: id => all.computers.get(id),
  hasAddress: ip => all.computers.idOf(ip) !== undefined,
  hasRoom: id => all.rooms.get(id) !== undefined,
  hasRepository: id => all.repositories.get(id) !== undefined,
})
