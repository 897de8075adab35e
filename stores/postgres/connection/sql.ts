// Statements as tagged templates: a value becomes a parameter, a part of a statement becomes a part of its text.
import type { QueryResult } from 'pg'
import { plannedEachTime } from './statement-names.ts'

/** What runs statements: the connections of a database, or the one of a transaction. */
export interface Statements {
  /** `patience`: milliseconds after which it is given up, if not those of the connection. */
  query(text: string, parameters: readonly unknown[], patience?: number): Promise<QueryResult>
}

/** A statement or a part of one. `Row`: what it returns. */
export class Sql<Row = unknown> {
  readonly #texts: readonly string[]
  /** One between each two texts. */
  readonly #values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts
    this.#values = values
  }

  /** The rows that the statement returns. */
  async all(statements: Statements): Promise<Row[]> {
    return (await this.#run(statements)).rows
  }

  async first(statements: Statements): Promise<Row | undefined> {
    return (await this.#run(statements)).rows[0]
  }

  /** The row of a statement that always returns one. */
  async one(statements: Statements): Promise<Row> {
    const { rows } = await this.#run(statements)
    if (rows.length === 0) throw new Error('store: statement: expected a row, got none')
    return rows[0]
  }

  /** The number of rows that the statement has changed or returned. */
  async run(statements: Statements, patience?: number): Promise<number> {
    return (await this.#run(statements, patience)).rowCount ?? 0
  }

  #run(statements: Statements, patience?: number): Promise<QueryResult> {
    const parameters: unknown[] = []
    return statements.query(this.#textWith(parameters), parameters, patience)
  }

  /** The text with $1, $2 and so on, whose values are added to `parameters`. */
  #textWith(parameters: unknown[]): string {
    let text = ''
    for (const [at, next] of this.#texts.entries()) {
      const value = this.#values[at - 1]
      if (value instanceof Sql) text += value.#textWith(parameters)
      else if (at > 0) text += `$${parameters.push(value)}`
      text += next
    }
    return text
  }
}

export function sql<Row = unknown>(texts: readonly string[], ...values: unknown[]): Sql<Row> {
  return new Sql(texts, values)
}

/** A text as it stands. */
export const raw = (text: string): Sql => new Sql([text], [])

/** In a statement whose plan depends on its values. */
export const unnamed = raw(plannedEachTime)

export function join(parts: readonly unknown[], separator = ', '): Sql {
  const texts = parts.map((_, at) => (at === 0 ? '' : separator))
  return parts.length === 0 ? raw('') : new Sql([...texts, ''], parts)
}

/** The types of the columns that are made of the rows' keys. */
export type ColumnTypes<Row> = { readonly [Key in keyof Row & string]?: string }

/** What a statement says for a time of this many milliseconds since 1970: exact, as the server counts microseconds. */
const toTime = (value: Sql): Sql => sql`(timestamptz 'epoch' + ${value} * interval '1 millisecond')`

/** A parameter of this type; a time is one in milliseconds. */
export const toType = (value: unknown, type = 'text'): Sql =>
  type === 'timestamptz' ? toTime(sql`${value}::bigint`) : sql`${value}::${raw(type)}`

/** Of a column of `toTable`. */
export const fromColumn = (name: string, type: string | undefined): Sql =>
  type === 'timestamptz' ? toTime(raw(name)) : raw(name)

/**
 * For `from`: rows as a table with a column, which is one parameter, for each of the types, and `number` from 1 on. Times are
 * in milliseconds: see `fromColumn`.
 */
export function toTable<Row>(name: string, types: ColumnTypes<Row>, rows: readonly Row[]): Sql {
  // `as`: the keys are those of the type.
  const columns = Object.keys(types) as (keyof Row & string)[]
  const arrays = columns.map(
    column => sql`${rows.map(row => row[column])}::${raw(`${types[column]?.replace('timestamptz', 'bigint')}[]`)}`,
  )
  return sql`unnest(${join(arrays)}) with ordinality as ${raw(`${name} ("${columns.join('", "')}", number)`)}`
}

/**
 * An array of JSON texts in one parameter, one for each value. As lines, which JSON never has within a value: in an array
 * as a parameter each quotation mark would be escaped, which takes longer than all else that is done with an event.
 */
export const jsonLines = (values: readonly object[]): Sql =>
  sql`string_to_array(${values.map(value => JSON.stringify(value)).join('\n')}, E'\\n')`
