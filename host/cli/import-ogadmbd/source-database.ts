// Reads the tables of an ogAdmBD database, of MySQL or MariaDB; writes nothing.
import { type Connection, createConnection, type RowDataPacket } from 'mysql2'
import { message } from '../../log/log.ts'
import type { SiteReport } from './site-report.ts'
import { SourceRow } from './source-row.ts'
import { columnsOf, isSourceTable, type SourceTable, sourceTableNames } from './source-tables.ts'

export interface SourceAddress {
  host: string
  port: number
  user: string
  password: string
  database: string
  /** The path of a unix socket, in place of host and port. */
  socket?: string | undefined
}

const connectMilliseconds = 10_000

/** Without these tables it is another database. */
const requiredTables: readonly SourceTable[] = ['centros', 'aulas', 'ordenadores']

/** Calls `work` with the open database. Rejects with an error of one line, also for one that is no ogAdmBD. */
export async function withSource<Result>(
  address: SourceAddress,
  report: SiteReport,
  work: (source: SourceDatabase) => Promise<Result>,
): Promise<Result> {
  const { host, port, user, password, database, socket } = address
  const where = `${socket ?? `${host}:${port}`}/${database}`
  const connection = createConnection({
    ...(socket === undefined ? { host, port } : { socketPath: socket }),
    ...{ user, password, database, connectTimeout: connectMilliseconds },
    charset: 'utf8mb4',
    supportBigNumbers: true,
  })
  // The next query fails, too; without a listener the process would end.
  connection.on('error', () => {})
  try {
    await connection.promise().connect()
    await beginReading(connection)
    const source = new SourceDatabase(connection, await readColumns(connection), report)
    const result = await work(source)
    await connection.promise().end()
    return result
  } catch (error) {
    connection.destroy()
    throw new Error(`${where}: ${reasonOf(error)}`)
  }
}

/** Some errors of connections have no message, only a code. */
function reasonOf(error: unknown): string {
  const text = message(error)
  if (text !== '' || !(error instanceof Error && 'code' in error)) return text.replaceAll(/\s+/g, ' ')
  return String(error.code)
}

/** One consistent state of all tables that InnoDB has; those of MyISAM are read as they are at that moment. */
async function beginReading(connection: Connection): Promise<void> {
  const server = connection.promise()
  await server.query('SET SESSION TRANSACTION READ ONLY')
  await server.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  // MySQL 8 shows last ids of up to a day ago; MariaDB and earlier versions do not know the variable.
  await server.query('SET SESSION information_schema_stats_expiry = 0').catch(() => {})
  await server.query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
}

type Columns = Map<SourceTable, Set<string>>

/** The rows that a query selects. */
async function select(connection: Connection, sql: string, values: unknown[] = []): Promise<RowDataPacket[]> {
  const [rows] = await connection.promise().query<RowDataPacket[]>(sql, values)
  return rows
}

const selectColumns =
  'SELECT TABLE_NAME AS name, LOWER(COLUMN_NAME) AS `column` FROM information_schema.COLUMNS ' +
  'WHERE TABLE_SCHEMA = DATABASE()'
const selectNextId =
  'SELECT AUTO_INCREMENT AS next FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?'

async function readColumns(connection: Connection): Promise<Columns> {
  const columns: Columns = new Map()
  for (const row of await select(connection, selectColumns)) {
    const name = String(row.name)
    if (isSourceTable(name)) columns.set(name, (columns.get(name) ?? new Set()).add(String(row.column)))
  }
  const missing = requiredTables.find(table => !columns.has(table))
  if (missing !== undefined) throw new Error(`expected a database like ogAdmBD, got one without the table ${missing}`)
  return columns
}

export class SourceDatabase {
  readonly #connection: Connection
  readonly #columns: Columns
  readonly #report: SiteReport

  constructor(connection: Connection, columns: Columns, report: SiteReport) {
    this.#connection = connection
    this.#columns = columns
    this.#report = report
    for (const table of sourceTableNames) this.#reportMissing(table)
  }

  has(table: SourceTable): boolean {
    const columns = this.#columns.get(table)
    return columns !== undefined && columnsOf(table).key.every(column => columns.has(column))
  }

  /** The rows in the order of their keys, read as they are used. None for a table that cannot be read. */
  async *rows(table: SourceTable): AsyncGenerator<SourceRow> {
    const present = this.#columns.get(table)
    if (present === undefined || !this.has(table)) return
    const { key, columns, thenBy } = columnsOf(table)
    const order = thenBy !== undefined && present.has(thenBy) ? [...key, thenBy] : key
    const values = [[...key, ...columns.filter(column => present.has(column))], table, order]
    this.#report.addRead(table, 0)
    const stream = this.#connection.query('SELECT ?? FROM ?? ORDER BY ??', values).stream()
    // A lost connection is an event of the connection only.
    const fail = (error: Error) => void stream.destroy(error)
    this.#connection.on('error', fail)
    try {
      for await (const record of stream) {
        const row = new SourceRow(table, record, this.#report)
        this.#report.addRead(table, 1)
        if (row.hasNul) row.drop('expected texts without NUL')
        else {
          row.trimAddresses()
          yield row
        }
      }
    } finally {
      this.#connection.off('error', fail)
    }
  }

  async count(table: SourceTable): Promise<number> {
    if (!this.has(table)) return 0
    const [row] = await select(this.#connection, 'SELECT COUNT(*) AS count FROM ??', [table])
    return Number(row?.count ?? 0)
  }

  /** The last id that the table has assigned, also to a row that was deleted; 0 when it cannot be known. */
  async lastId(table: SourceTable): Promise<number> {
    const [row] = await select(this.#connection, selectNextId, [table])
    return Math.max(0, Number(row?.next ?? 0) - 1)
  }

  #reportMissing(table: SourceTable): void {
    const present = this.#columns.get(table)
    const whole = { table, id: '' }
    if (present === undefined) return this.#report.addProblem(whole, 'table', 'the database does not have it')
    const { key, columns } = columnsOf(table)
    const lacking = key.filter(column => !present.has(column))
    if (lacking.length > 0) return this.#report.addProblem(whole, 'table', `it has no column ${lacking.join(', ')}`)
    for (const column of columns) {
      if (!present.has(column)) this.#report.addProblem(whole, column, 'the table does not have this column')
    }
  }
}
