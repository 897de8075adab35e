// The connections to PostgreSQL: at most as many as the options say, closed together when the server does not respond.
import { Pool, type PoolClient, type QueryResult, types } from 'pg'
import { decodeRows, encodeParameter } from '../text.ts'
import { type DatabaseError, describeError, isOfServer, isTimeout } from './database-error.ts'
import { parseTime } from './parse-time.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { ServerCheck } from './server-check.ts'
import type { Statements } from './sql.ts'
import { StatementNames } from './statement-names.ts'

/** Milliseconds until a connection is given up, and until the server is asked whether it is alive. */
const connectTime = 1500
const checkTime = 500

/** Milliseconds until a statement is given up whose connection alone is dead: nothing takes nearly as long. */
const statementTime = 60_000

/** Milliseconds until the server ends a transaction of a daemon whose machine is gone, and a wait for a lock. */
const idleTime = 60_000
const lockTime = 10_000

const [int8, json, timestamptz] = [types.builtins.INT8, types.builtins.JSON, types.builtins.TIMESTAMPTZ]
const int8Array: number = 1016

const parseTexts: (text: string) => string[] = types.getTypeParser(int8Array)
const parseNumbers = (text: string) => parseTexts(text).map(Number)

/**
 * Numbers of 64 bits are numbers here, as all of the store's are safe integers, and times are milliseconds since 1970; JSON
 * stays text until it is decoded.
 */
const typeParsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return Number
    if (oid === int8Array) return parseNumbers
    if (oid === timestamptz) return parseTime
    if (oid === json) return (text: string) => text
    // `as`: the package's function has a form for each of the two, which return the same.
    return types.getTypeParser(oid, format as 'text')
  },
  // `as`: the package asks for this function only.
} as typeof types

/** For one of the connections. */
interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** To be released. */
export interface Connection extends Statements {
  release(): void
}

/** As statements: each one in a connection that is free. */
export class Connections implements Statements {
  readonly #pool: Pool
  readonly names = new StatementNames()
  readonly #server = new ServerCheck(() => this.#pool.query('select 1'))
  readonly #waiting: Waiting[] = []
  readonly #most: number
  #used = 0
  #ended: Promise<void> | undefined
  #check: NodeJS.Timeout | undefined
  /** Why the server is not asked for anything: it is gone, and #checkServer finds out when it is back. */
  #gone: DatabaseError | undefined

  constructor({ connection, schema, pool, settings = {} }: PostgresOptions) {
    this.#most = pool
    this.#pool = new Pool({
      ...connection,
      // One more, for the check that the server is alive.
      max: pool + 1,
      types: typeParsers,
      keepAlive: true,
      connectionTimeoutMillis: connectTime,
      query_timeout: statementTime,
      application_name: 'fleet-host',
      options: [
        connection.options ?? '',
        `-c search_path="${schema}"`,
        `-c idle_in_transaction_session_timeout=${idleTime}`,
        `-c lock_timeout=${lockTime}`,
        // Compiling a statement takes longer than any of these statements.
        '-c jit=off',
        // What `parseTime` reads.
        '-c timezone=UTC',
        '-c datestyle=ISO',
        ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`),
      ].join(' '),
      stream: () => this.#server.createSocket(),
    })
    // A connection that ends while nobody uses it is replaced when it is needed; a statement that it ended rejects.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', client => client.on('error', () => {}))
  }

  /**
   * Waits for a free connection as long as the server responds. Rejects at once for all who wait when no connection can
   * be opened.
   */
  async connect(): Promise<Connection> {
    if (this.#gone) throw describeError(this.#gone.cause)
    if (this.#used < this.#most) this.#used += 1
    else await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
    this.#startCheck()
    try {
      return toConnection(await this.#open(), this)
    } catch (error) {
      this.#rejectWaiting(error)
      this.#used -= 1
      throw describeError(error)
    }
  }

  async query(text: string, parameters: readonly unknown[], patience?: number): Promise<QueryResult> {
    const connection = await this.connect()
    return connection.query(text, parameters, patience).finally(connection.release)
  }

  /** Gives a connection back; a broken one is closed. */
  release(client: PoolClient, isBroken: boolean): void {
    client.release(isBroken)
    const next = this.#waiting.shift()
    if (next) next.resolve()
    else this.#used -= 1
  }

  /** May be called again. */
  async end(): Promise<void> {
    clearTimeout(this.#check)
    this.#ended ??= this.#pool.end()
    await this.#ended
  }

  /** Once more when the time is over: this process may have been paused. #checkServer ends both when the server is gone. */
  async #open(): Promise<PoolClient> {
    return this.#pool.connect().catch(error => {
      if (this.#gone || !isTimeout(error)) throw error
      return this.#pool.connect()
    })
  }

  #rejectWaiting(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(describeError(reason))
  }

  #startCheck(): void {
    if (!this.#pool.ending) this.#check ??= setTimeout(() => void this.#checkServer(), checkTime).unref()
  }

  /**
   * While connections are used: a long statement may take its time, a server that is gone ends all of them. Until it is
   * back each request fails at once: requests that wait for each other would else wait long.
   */
  async #checkServer(): Promise<void> {
    if (this.#used > 0 || this.#gone) this.#gone = await this.#server.findProblem()
    // Not before: one check at a time.
    this.#check = undefined
    if (this.#gone) {
      this.#server.destroyAll(this.#gone.cause)
      this.#rejectWaiting(this.#gone.cause)
    }
    if (this.#used > 0 || this.#gone) this.#startCheck()
  }
}

/** With texts encoded and decoded. */
function toConnection(client: PoolClient, connections: Connections): Connection {
  let isBroken = false
  return {
    async query(text, parameters, patience) {
      try {
        const values = parameters.map(encodeParameter)
        const query = { name: connections.names.of(text), text, values, query_timeout: patience }
        const result = await client.query(query)
        // Of several statements without parameters there is a list of results, which nobody reads.
        if (!Array.isArray(result)) decodeRows(result.rows)
        return result
      } catch (error) {
        isBroken ||= !isOfServer(error)
        throw describeError(error)
      }
    },
    release: () => connections.release(client, isBroken),
  }
}
