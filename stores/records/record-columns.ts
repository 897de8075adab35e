// Describes records by their columns: their types, what an embedded store keeps of them, copies, and tables of a database.
import { toTags } from '../rules/tags.ts'

/** What a table of a database has of a column beyond its values. */
interface TableColumn<Value> {
  /** The type; JSON is text there. */
  sql?: string
  /** A value of the record that says that there is none: null in the table. */
  none?: Value
  /** It names a row of this table; with `onDelete` that row exists. */
  references?: { row: string; onDelete?: 'no action' | 'cascade' | 'set null' }
  /** Of a time since 1970: how many milliseconds one of it has. */
  milliseconds?: number
  /** All values that there are. */
  values?: readonly Value[]
  about?: string
}

/**
 * One value of a record. A column without functions has values that need no copy. One that is added to a record is
 * `optional` or has a `withDefault`: rows of before lack it.
 */
export interface Column<Value, Stored = Value> extends TableColumn<Value> {
  /** What is stored of a caller's value: of objects only the keys that have columns. */
  store?(value: Value): Stored
  /** A copy that the reader may change. */
  read?(stored: Stored): Value
  /** A row without the key has this value, and a row with this value is stored without the key. */
  fallback?: Value
  /** A row with this value is stored without the key, and has none when it is read. */
  absent?: Value
  isOptional?: true
}

export type Columns = Readonly<Record<string, Column<unknown>>>

type KeysWith<Own extends Columns, Kind> = { [Key in keyof Own]: Own[Key] extends Kind ? Key : never }[keyof Own]

type WithOptional<Values, Keys extends keyof Values> = Omit<Values, Keys> & Partial<Pick<Values, Keys>>

type Values<Own extends Columns> = WithOptional<
  { [Key in keyof Own]: Own[Key] extends Column<infer Value, infer _> ? Value : never },
  KeysWith<Own, { isOptional: true }>
>

type StoredValues<Own extends Columns> = WithOptional<
  { [Key in keyof Own]: Own[Key] extends Column<infer _, infer Stored> ? Stored : never },
  KeysWith<Own, { isOptional: true } | { fallback: unknown }>
>

/** A record, which may be a value of another record. */
export interface RecordType<Own extends Columns> extends Column<Values<Own>, StoredValues<Own>> {
  columns: Own
  about: string
  store(record: Values<Own>): StoredValues<Own>
  read(row: StoredValues<Own>): Values<Own>
}

export type RecordOf<Type> = Type extends RecordType<infer Own> ? Values<Own> : never

export type RowOf<Type> = Type extends RecordType<infer Own> ? Readonly<StoredValues<Own>> : never

/** A value that needs no copy, or of which nobody keeps another one. */
export const plain = <Value>(sql = 'text'): Column<Value> => ({ sql })
export const text = plain<string>()
export const number = plain<number>('bigint')
export const decimal = plain<number>('double precision')
export const small = plain<number>('smallint')
export const flag = plain<boolean>('boolean')

/** Times since 1970. */
export const milliseconds: Column<number> = { sql: 'timestamptz', milliseconds: 1 }
export const seconds: Column<number> = { sql: 'timestamptz', milliseconds: 1000 }

export const oneOf = <const Value>(values: readonly Value[], sql = 'text'): Column<Value> => ({ sql, values })

/** The key is there, and this value of it says that there is none. */
export const orNone = <Value>(column: Column<Value>, none: NoInfer<Value>) => ({ ...column, none })

export const optionalText = orNone(text, '')

/**
 * The id of a record of this kind. Without `onDelete` it may be that of one that is gone: ids are never assigned twice.
 */
export const reference = (
  row: string,
  onDelete?: NonNullable<TableColumn<number>['references']>['onDelete'],
): Column<number> => ({ sql: 'bigint', references: { row, ...(onDelete && { onDelete }) } })

/** What it is for, where its name does not say it. */
export const about = <Type extends object>(about: string, column: Type): Type => ({ ...column, about })

/** Any JSON value; copied through its text, so that the copy is what a restart would read from the disk. */
export function json<Value>() {
  const copy = (value: Value): Value => JSON.parse(JSON.stringify(value))
  return { store: copy, read: copy, sql: 'json' }
}

export const list = <Value>({ store, sql = 'json' }: Column<Value>): Column<Value[]> => {
  const copy = (values: Value[]) => (store ? values.map(value => store(value)) : [...values])
  return { store: copy, read: copy, sql: sql.startsWith('json') ? 'json' : `${sql}[]` }
}

/** Stored as JSON text, which takes less memory than the objects. */
export const asText = <Value>({ store }: Column<Value>): Column<Value, string> => ({
  store: value => JSON.stringify(store ? store(value) : value),
  read: text => JSON.parse(text),
  sql: 'json',
})

/** The key may be absent; so it is when it has the value `absent`. */
export const optional = <Value, Stored>(column: Column<Value, Stored>, absent?: Value) => ({
  ...column,
  ...(absent !== undefined && { absent }),
  isOptional: true as const,
})

/** Words that it has: the key is absent when there are none. */
const tags: Column<readonly string[]> = { store: toTags, read: words => [...words], sql: 'json' }

/** The key is absent until it gets some. */
export const tagList = about('Words by which it is found, in lower case, sorted.', optional(tags))

export const withDefault = <Value>(column: Column<Value>, fallback: Value) => ({ ...column, fallback })

/** The order of the columns is that of the keys in stored rows. */
export function record<Own extends Columns>(columns: Own, about = ''): RecordType<Own> {
  const all = Object.entries(columns)
  const deep = all.filter(([, { read, fallback }]) => read || fallback !== undefined)
  const store = (values: Readonly<Record<string, unknown>>) => {
    const row: Record<string, unknown> = {}
    for (const [key, column] of all) {
      const value = values[key] ?? undefined
      if (value === undefined || value === column.fallback || value === column.absent) continue
      row[key] = column.store ? column.store(value) : value
    }
    return row
  }
  /** Most columns are copied by the spread, which is faster than a loop over their keys. */
  const read = (row: Readonly<Record<string, unknown>>) => {
    const values: Record<string, unknown> = { ...row }
    for (const [key, { read, fallback }] of deep) {
      const value = row[key]
      if (value === undefined) {
        if (fallback !== undefined) values[key] = fallback
      } else if (read) values[key] = read(value)
    }
    return values
  }
  // `as`: the keys are those of the columns.
  return { columns, about, store, read, sql: 'jsonb' } as unknown as RecordType<Own>
}
