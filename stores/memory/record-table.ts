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
  /** The new id. */
  add(transaction: Transaction, record: New<RecordType>): number
  put(transaction: Transaction, record: Readonly<RecordType>): void
  /** Values that are undefined change nothing, and null removes a value. */
  change(transaction: Transaction, id: number, change: Change<RecordType>): void
}

export function recordTable<Name extends RecordName>({ all }: Tables, name: Name): RecordTable<Records[Name]> {
  const table: Pick<Table<Row>, 'get' | 'sorted' | 'nextId'> = all[name]
  const { read, store } = codecOf<Name>(name)
  // `as`: the rows of the record are those of its table.
  const put = (transaction: Transaction, record: object) => transaction.put(name, store(record) as Rows[Name])
  return {
    list: () => table.sorted().map(read),
    find(id) {
      const row = table.get(id)
      return row && read(row)
    },
    add(transaction, record) {
      const id = table.nextId()
      put(transaction, { ...record, id })
      return id
    },
    put,
    change(transaction, id, change) {
      const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      put(transaction, { ...table.get(id), ...defined, id })
    },
  }
}
