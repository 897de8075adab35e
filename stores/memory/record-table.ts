// The rows of one collection as records: readers get copies, and of callers' objects only the known keys are stored.
import { codecOf, type RecordName, type Records } from '../records/all-records.ts'
import type { New } from '../store.ts'
import type { Row, Rows } from './tables/row-types.ts'
import type { Table } from './tables/table.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

type Change<RecordType> = { [Key in keyof New<RecordType>]?: New<RecordType>[Key] | null | undefined }

export interface RecordTable<RecordType> {
  /** In the order of the ids. */
  list(): RecordType[]
  find(id: number | undefined): RecordType | undefined
  /** Whether another row has the unique key that a new record has, or the row with this id after the change. */
  isTaken(change: Change<RecordType>, id?: number): boolean
  /** The new id. */
  add(transaction: Transaction, record: New<RecordType>): number
  put(transaction: Transaction, record: Readonly<RecordType>): 'updated'
  /** Values that are undefined change nothing, and null removes a value. */
  change(transaction: Transaction, id: number, change: Change<RecordType>): 'updated'
}

export function recordTable<Name extends RecordName>({ all }: Tables, name: Name): RecordTable<Records[Name]> {
  const table: Pick<Table<Row>, 'get' | 'sorted' | 'nextId' | 'isTaken'> = all[name]
  const { read, store } = codecOf<Name>(name)
  const changed = (id: number, change: object) => {
    const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    return { ...table.get(id), ...defined, id }
  }
  const put = (transaction: Transaction, record: object) => {
    // `as`: the rows of the record are those of its table.
    transaction.put(name, store(record) as Rows[Name])
    return 'updated' as const
  }
  return {
    list: () => table.sorted().map(read),
    find(id) {
      const row = table.get(id)
      return row && read(row)
    },
    isTaken: (change, id = 0) => table.isTaken(changed(id, change)),
    add(transaction, record) {
      const id = table.nextId()
      put(transaction, { ...record, id })
      return id
    },
    put,
    change: (transaction, id, change) => put(transaction, changed(id, change)),
  }
}
