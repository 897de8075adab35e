// Managed computers.
import { type ExistingRecords, findChangeConflict, findMergeConflicts } from '../rules/computer-conflicts.ts'
import type { Computer, ComputerValues, Frozen, New, Place, Store } from '../store.ts'
import type { Rows } from './tables/row-types.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

type ComputerWithCenter = Frozen<Computer & { center: number }>

export function computers({ tables, mutate }: StoreContext): Store['computers'] {
  const { all, indexes } = tables
  const find = createFind(tables)
  const existing = existingIn(tables)
  const rowsAt = (ips: string[]) => [...new Set(ips)].flatMap(ip => all.computers.get(indexes.address.id(ip)) ?? [])
  return {
    find: async ip => find(ip),
    async findMany(ips) {
      return [...new Set(ips)].flatMap(ip => find(ip) ?? [])
    },
    async list(room) {
      const rows =
        room === undefined ? all.computers.sorted() : indexes.computersOfRoom.ids(room).map(id => all.computers.get(id))
      return rows.flatMap(computer => (computer ? [withId(computer.id, computer)] : []))
    },

    add: computers =>
      mutate(transaction => {
        const conflicts = findMergeConflicts(
          computers.map(computer => ({ ...computer, id: undefined })),
          existing,
        )
        if (conflicts.length > 0) return conflicts
        for (const computer of computers) transaction.put('computers', withId(all.computers.nextId(), computer))
        return []
      }),
    update: (ips, change) =>
      mutate(transaction => {
        const rows = rowsAt(ips)
        const reason = findChangeConflict(rows, change, existing)
        if (reason) return reason
        for (const row of rows) transaction.put('computers', applyChange(row, change))
        return 'updated'
      }),
    merge: rows =>
      mutate(transaction => {
        const conflicts = findMergeConflicts(rows, existing)
        if (conflicts.length > 0) return { conflicts, before: [] }
        const before: Computer[] = []
        for (const row of rows) {
          const computer = 'id' in row ? all.computers.get(row.id) : undefined
          if (computer) before.push(withId(computer.id, computer))
          if (computer) transaction.put('computers', applyChange(computer, row))
          else if (!('id' in row)) transaction.put('computers', withId(all.computers.nextId(), row))
        }
        return { conflicts, before }
      }),
    delete: ips =>
      mutate(transaction =>
        ips.flatMap(ip => {
          const id = indexes.address.id(ip)
          return id === undefined ? [] : removeComputer(tables, transaction, id)
        }),
      ),
  }
}

/** Returns the same frozen object while neither the row nor its center changes. */
function createFind({ all, indexes }: Tables): (ip: string) => ComputerWithCenter | undefined {
  const results = new WeakMap<Rows['computers'], ComputerWithCenter>()
  return ip => {
    const row = all.computers.get(indexes.address.id(ip))
    if (!row) return undefined
    const center = all.rooms.get(row.room)?.center ?? 0
    const previous = results.get(row)
    if (previous?.center === center) return previous
    const computer = Object.freeze({ ...withId(row.id, row), center })
    Object.freeze(computer.place)
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
  return [withId(id, computer)]
}

const existingIn = ({ all, indexes }: Tables): ExistingRecords => ({
  computer: id => all.computers.get(id),
  hasAddress: ip => indexes.address.id(ip) !== undefined,
  hasRoom: id => all.rooms.get(id) !== undefined,
  hasRepository: id => all.repositories.get(id) !== undefined,
})

function applyChange(computer: Readonly<Computer>, change: ComputerValues): Computer {
  const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return withId(computer.id, { ...computer, ...defined })
}

/** Copies key by key: additional keys of a caller's object are not stored, and all rows with a place have one shape. */
function withId(id: number, computer: Omit<New<Computer>, 'place'> & { place?: Readonly<Place> | null }): Computer {
  const copy: Computer = {
    id,
    name: computer.name,
    ip: computer.ip,
    mac: computer.mac,
    room: computer.room,
    netmask: computer.netmask,
    boot: computer.boot,
    remote: computer.remote,
    serial_number: computer.serial_number,
    hardware_id: computer.hardware_id,
    repo_id: computer.repo_id,
    netiface: computer.netiface,
    netdriver: computer.netdriver,
    livedir: computer.livedir,
    maintenance: computer.maintenance,
  }
  if (computer.place) copy.place = { row: computer.place.row, column: computer.place.column }
  return copy
}
