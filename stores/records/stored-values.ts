// What a store keeps of a record that a caller has handed to it.
import { codecOf, type RecordName, type RecordRows } from './all-records.ts'

/** Copies of the values that have columns, without the id. */
export function storedValues<Name extends RecordName>(name: Name, record: object): Omit<RecordRows[Name], 'id'> {
  const { id: _id, ...values } = codecOf(name).store(record)
  return values
}
