// The table of a record: its columns follow from those of the record, and where they differ is data.
import type { Columns } from '../../records/record-columns.ts'
import type { New } from '../../store.ts'
import { join, raw, type Sql, type Statements, sql, toType } from '../connection/sql.ts'
import { type Field, type FieldOptions, type SqlColumn, same, toColumn, toField } from './sql-fields.ts'

export type Row = Readonly<Record<string, unknown>>

interface TableOptions<Value> extends FieldOptions {
  columns?: { readonly [Key in keyof Value & string]?: NonNullable<FieldOptions['columns']>[string] }
  select?: { readonly [Key in keyof Value & string]?: string }
  /** Further columns, and their values. */
  more?: { columns: Columns; of(record: Value): Row }
  /** This key has other columns in the table than the one of its name. */
  elsewhere?: keyof Value
}

export class SqlTable<Value extends object> {
  readonly name: string
  /** What `read` reads, with the names of the record's keys. */
  readonly columns: Sql
  /** The columns of the table, apart from those that only statements know. */
  readonly definitions: readonly SqlColumn[]
  readonly about: string
  /** The types of the columns. */
  readonly types: Readonly<Record<string, string>>
  readonly idOffset: number
  readonly #fields: readonly Field[]
  readonly #more: TableOptions<Value>['more']

  constructor(
    name: string,
    record: { columns: Columns; about: string; read(row: never): Value },
    options: TableOptions<NoInfer<Value>> = {},
  ) {
    this.name = name
    this.idOffset = options.idOffset ?? 0
    this.#more = options.more
    this.#fields = Object.entries(record.columns).map(([key, column]) => toField(name, key, column, options))
    this.columns = raw(this.#fields.map(({ select }) => select).join(', '))
    const more = Object.entries(options.more?.columns ?? {}).map(([key, column]) => toColumn(key, column))
    const all = [...this.#fields.flatMap(({ columns }) => columns), ...more]
    this.definitions = all.filter(({ name }) => name !== options.elsewhere)
    this.types = Object.fromEntries(all.map(({ name, type }) => [name, type]))
    this.about = record.about
  }

  /** `values`: what the record has before the columns. */
  read(row: object, values: Record<string, unknown> = {}): Value {
    // `as`: quicker than `Reflect.get`, for thousands of rows.
    const stored = row as Row
    for (const { key, columns, none, decode } of this.#fields) {
      const value = columns.length > 1 ? joinParts(columns, row) : stored[key]
      if (value !== null && value !== undefined) values[key] = decode === same ? value : decode(value)
      else if (none !== undefined) values[key] = none
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

  /** For `select`: the values of these columns. */
  values(row: Row): Sql {
    return join(Object.entries(row).map(([column, value]) => toType(value, this.types[column])))
  }

  /** For `update`. */
  set(row: Row): Sql {
    return join(
      Object.entries(row).map(([column, value]) => sql`${raw(column)} = ${toType(value, this.types[column])}`),
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
    const values = this.values(Object.fromEntries(columns.map(column => [column, row[column]])))
    return sql`insert into ${raw(`${this.name} (${columns.join(', ')})`)} select ${values} ${source} returning id`
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
    const values = rows.map(row => sql`(${join(columns.map(column => this.#toItem(column, row)))})`)
    return sql`insert into ${raw(`${this.name} (${columns.join(', ')})`)} values ${join(values)}`
  }

  /** Such a list of rows names few types: the server takes those of the columns. */
  #toItem(column: string, row: Row): unknown {
    const value = row[column] ?? raw('default')
    return this.types[column] === 'timestamptz' ? toType(row[column], 'timestamptz') : value
  }

  /** Without a change the row is stored as it is. */
  async update(statements: Statements, id: number, { id: _, ...row }: Row): Promise<'updated' | 'unknown'> {
    const set = Object.keys(row).length > 0 ? this.set(row) : raw('id = id')
    const updated = await sql`update ${raw(this.name)} set ${set} where id = ${id}`.run(statements)
    return updated > 0 ? 'updated' : 'unknown'
  }
}

function toRow(fields: readonly Field[], values: object): Row {
  const row: Record<string, unknown> = {}
  for (const { key, columns, initial, encode } of fields) {
    const value = Reflect.get(values, key) ?? initial
    const stored = value === null ? null : encode(value)
    for (const { part, name } of columns)
      row[name] = part === '' || stored === null ? stored : Reflect.get(Object(stored), part)
  }
  return row
}

/** Undefined when there is none. */
function joinParts(columns: Field['columns'], row: object): object | undefined {
  const values = columns.map(({ part, name }) => [part, Reflect.get(row, name)])
  return values.some(([, value]) => value === null) ? undefined : Object.fromEntries(values)
}
