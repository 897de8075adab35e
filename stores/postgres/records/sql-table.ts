// The table of a record: its columns follow from those of the record, and where they differ is data.
import type { Column, Columns } from '../../records/record-columns.ts'
import type { New } from '../../store.ts'
import { constraintOf } from '../connection/database-error.ts'
import { join, raw, type Sql, type Statements, sql } from '../connection/sql.ts'

export type Row = Readonly<Record<string, unknown>>

interface TableOptions<Value> {
  /** Where a key is stored, if not in a column of its name; a record in a key: a column for each of its own keys. */
  columns?: { readonly [Key in keyof Value]?: string | Readonly<Record<string, string>> }
  /** Keys whose 0 is null in the table. */
  references?: readonly (keyof Value)[]
  /** How a key is read, if its column alone does not say it. */
  select?: { readonly [Key in keyof Value]?: string }
  /** Further columns with their types, and their values. */
  more?: { types: Readonly<Record<string, string>>; of(record: Value): Row }
  /** The ids of the rows are those of the records plus this. */
  idOffset?: number
}

/** How a key of the record is stored. */
interface Field {
  key: string
  /** Columns by the keys of a record in it; one column has the key ''. */
  columns: readonly (readonly [part: string, name: string, type: string])[]
  select: string
  /** A stored value that is none, besides null. */
  absent: unknown
  /** What is stored of an absent value. */
  initial: unknown
  encode(value: unknown): unknown
  decode(value: unknown): unknown
}

export class SqlTable<Value extends object> {
  readonly name: string
  /** What `read` reads, with the names of the record's keys. */
  readonly columns: Sql
  /** The types of the columns. */
  readonly types: Readonly<Record<string, string>>
  readonly idOffset: number
  readonly #fields: readonly Field[]
  readonly #more: TableOptions<Value>['more']

  constructor(
    name: string,
    record: { columns: Columns; read(row: never): Value },
    options: TableOptions<NoInfer<Value>> = {},
  ) {
    this.name = name
    this.idOffset = options.idOffset ?? 0
    this.#more = options.more
    // `as`: the keys of the options are those of the record, as texts.
    const fieldOptions = options as TableOptions<Row>
    this.#fields = Object.entries(record.columns).map(([key, column]) => toField(name, key, column, fieldOptions))
    this.columns = raw(this.#fields.map(({ select }) => select).join(', '))
    const types = this.#fields.flatMap(({ columns }) => columns.map(([, name, type]) => [name, type]))
    this.types = { ...Object.fromEntries(types), ...options.more?.types }
  }

  read(row: object): Value {
    const values: Record<string, unknown> = {}
    for (const { key, columns, absent, decode } of this.#fields) {
      const value = columns.length > 1 ? joinParts(columns, row) : Reflect.get(row, key)
      if (value !== null && value !== undefined && value !== absent) values[key] = decode(value)
    }
    // `as`: the keys are those of the record.
    return values as Value
  }

  /** All columns, null for those of absent values. A copy: the caller may change its object while a statement waits. */
  row(record: Value | New<Value>): Row {
    // `as`: the further columns do not depend on the id.
    return { ...toRow(this.#fields, record), ...this.#more?.of(record as Value) }
  }

  /** The columns of the values that are not undefined; null removes a value. */
  changes(change: object): Row {
    return toRow(
      this.#fields.filter(({ key }) => Reflect.get(change, key) !== undefined),
      change,
    )
  }

  /** In the order of the ids; `rest` follows the condition, which is all of them by default. */
  async list(statements: Statements, condition: Sql = sql`true`, rest: Sql = sql``): Promise<Value[]> {
    const rows = await sql<object>`
      select ${this.columns} from ${raw(this.name)} where ${condition} order by id ${rest}
    `.all(statements)
    return rows.map(row => this.read(row))
  }

  async find(statements: Statements, condition: Sql): Promise<Value | undefined> {
    const [record] = await this.list(statements, condition)
    return record
  }

  /** Adds a row, once for each row of `source`. Columns without a value get their defaults. */
  insertion(row: Row, source: Sql = sql``): Sql<{ id: number }> {
    const columns = Object.keys(row).filter(column => row[column] !== null)
    const values = columns.map(column => sql`${row[column]}::${raw(this.types[column] ?? 'text')}`)
    return sql`insert into ${raw(`${this.name} (${columns.join(', ')})`)} select ${join(values)} ${source} returning id`
  }

  async add(statements: Statements, row: Row): Promise<number> {
    return (await this.insertion(row).one(statements)).id
  }

  /** Undefined when the name is taken. */
  async addNamed(statements: Statements, row: Row): Promise<number | undefined> {
    const isFree = sql`where not exists (select from ${raw(this.name)} where name = ${row.name})`
    return (await this.insertion(row, isFree).first(statements))?.id
  }

  /** At most a thousand rows, and at least one: a statement has no more than 65,535 parameters. */
  insertAll(rows: readonly Row[]): Sql {
    const columns = Object.keys(rows[0] ?? {})
    const values = rows.map(row => sql`(${join(columns.map(column => row[column] ?? raw('default')))})`)
    return sql`insert into ${raw(`${this.name} (${columns.join(', ')})`)} values ${join(values)}`
  }

  /** Without a change the row is stored as it is. `conflicts`: what the constraints mean that it may violate. */
  async update<Conflict = never>(
    statements: Statements,
    id: number,
    { id: _, ...row }: Row,
    conflicts: Readonly<Record<string, Conflict>> = {},
  ): Promise<'updated' | 'unknown' | Conflict> {
    const changes = Object.entries(row).map(([column, value]) => sql`${raw(column)} = ${value}`)
    const set = changes.length > 0 ? join(changes) : raw('id = id')
    try {
      const updated = await sql`update ${raw(this.name)} set ${set} where id = ${id}`.run(statements)
      return updated > 0 ? 'updated' : 'unknown'
    } catch (error) {
      const conflict = conflicts[constraintOf(error) ?? '']
      if (conflict === undefined) throw error
      return conflict
    }
  }
}

function toField(table: string, key: string, column: Column<unknown>, options: TableOptions<Row>): Field {
  const { columns: names = {}, references = [], select = {}, idOffset = 0 } = options
  const { sql: type = 'text', store = same, read = same, absent, fallback } = column
  const field = { key, absent, initial: absent ?? fallback ?? null }
  const name = names[key] ?? key
  if (typeof name !== 'string') {
    const columns = Object.entries(name).map(([part, name]) => [part, name, typeOfPart(column, part)] as const)
    return {
      ...field,
      columns,
      select: columns.map(([, name]) => `${table}.${name}`).join(', '),
      encode: store,
      decode: read,
    }
  }
  const one = {
    ...field,
    columns: [['', name, type]] as const,
    select: `${select[key] ?? `${table}.${name}`} as "${key}"`,
  }
  if (type === 'json')
    return { ...one, encode: value => toJson(store(value)), decode: text => JSON.parse(String(text)) }
  if (references.includes(key)) {
    return { ...one, select: `coalesce(${table}.${name}, 0) as "${key}"`, encode: id => id || null, decode: same }
  }
  if (key === 'id' && idOffset > 0) {
    return { ...one, select: `${table}.id - ${idOffset} as id`, encode: id => Number(id) + idOffset, decode: same }
  }
  return { ...one, encode: store, decode: same }
}

const same = (value: unknown) => value

/** The stored value may be JSON already. */
const toJson = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const typeOfPart = (column: Column<unknown> & { columns?: Columns }, part: string) =>
  column.columns?.[part]?.sql ?? 'text'

function toRow(fields: readonly Field[], values: object): Row {
  const row: Record<string, unknown> = {}
  for (const { key, columns, initial, encode } of fields) {
    const value = Reflect.get(values, key) ?? initial
    const stored = value === null ? null : encode(value)
    for (const [part, name] of columns)
      row[name] = part === '' || stored === null ? stored : Reflect.get(Object(stored), part)
  }
  return row
}

/** Undefined when there is none. */
function joinParts(columns: Field['columns'], row: object): object | undefined {
  const values = columns.map(([part, name]) => [part, Reflect.get(row, name)])
  return values.some(([, value]) => value === null) ? undefined : Object.fromEntries(values)
}
