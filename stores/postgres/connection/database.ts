// The database of a store: statements and transactions, which are repeated when other writers made them fail.
import { type Connection, Connections } from './connection-pool.ts'
import { codeOf } from './database-error.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { type Statements, sql } from './sql.ts'

export type { Statements }
export type Work<Result> = (statements: Statements) => Promise<Result>

export interface Database {
  /** Reads with one statement. Not for writes. */
  read: Statements
  /** Reads with several statements, which see one state. */
  readAll<Result>(work: Work<Result>): Promise<Result>
  /** Writes with one statement, which is a transaction by itself. */
  write<Result>(work: Work<Result>): Promise<Result>
  /** Writes with several statements: all or nothing. They may run more than once, and must not change anything else. */
  transaction<Result>(work: Work<Result>): Promise<Result>
  /**
   * Starts a transaction that reads the state of this moment; no write of this process that is requested later can
   * change what it reads, nor what `readFirst` reads outside the state of a transaction. To be ended.
   */
  snapshot<First>(readFirst: Work<First>): Promise<Snapshot<First>>
  /** Also ends the snapshots. */
  close(): Promise<void>
}

export interface WriteGuard {
  /** Rejects when this process may not write: another one uses the database, or tables are newer. `ask` asks the server. */
  requireTaken(ask: () => Promise<unknown>): Promise<void>
}

export interface Snapshot<First> {
  statements: Statements
  first: First
  /** May be called again. */
  end(): Promise<void>
}

/** Codes of errors after which a transaction is repeated: others changed the rows, or deleted what it wanted to name. */
const repeatable = new Set(['40001', '40P01', '23503', '23505'])
const mostAttempts = 8

const beginReading = sql`start transaction isolation level repeatable read read only`

/** Without a guard all writes are allowed. */
export function openDatabase(options: PostgresOptions, guard?: WriteGuard): Database {
  const connections = new Connections(options)
  /** Writes wait for it, so that a snapshot contains nothing that was requested after it. */
  let begun: Promise<unknown> | undefined
  const ends = new Set<() => Promise<void>>()
  const ask = () => sql`select 1`.run(connections)

  async function repeat<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let attempts = 1; ; attempts += 1) {
      while (begun) await begun
      await guard?.requireTaken(ask)
      try {
        return await attempt()
      } catch (error) {
        if (attempts >= mostAttempts || !repeatable.has(codeOf(error))) throw error
      }
    }
  }

  return {
    read: connections,
    readAll: work => inTransaction(connections, work, beginReading),
    write: work => repeat(() => work(connections)),
    transaction: work => repeat(() => inTransaction(connections, work, sql`begin`)),
    snapshot(readFirst) {
      const snapshot = beginSnapshot(connections, readFirst, ends)
      const settled = snapshot.then(
        () => {},
        () => {},
      )
      const previous = begun
      const all = Promise.all([previous, settled]).then(() => {
        if (begun === all) begun = undefined
      })
      begun = all
      return snapshot
    },
    async close() {
      await begun
      for (const end of ends) await end()
      await connections.end()
    },
  }
}

async function inTransaction<Result>(connections: Connections, work: Work<Result>, begin: typeof beginReading) {
  const connection = await connections.connect()
  try {
    await begin.run(connection)
    const result = await work(connection)
    await sql`commit`.run(connection)
    return result
  } catch (error) {
    await rollBack(connection)
    throw error
  } finally {
    connection.release()
  }
}

/** The server may have ended the connection: then there is nothing to end. */
const rollBack = (connection: Connection) => sql`rollback`.run(connection).catch(() => {})

async function beginSnapshot<First>(
  connections: Connections,
  readFirst: Work<First>,
  ends: Set<() => Promise<void>>,
): Promise<Snapshot<First>> {
  const connection = await connections.connect()
  async function end(): Promise<void> {
    if (!ends.delete(end)) return
    await rollBack(connection)
    connection.release()
  }
  ends.add(end)
  try {
    await beginReading.run(connection)
    // The first statement fixes the state that is read.
    return { statements: connection, first: await readFirst(connection), end }
  } catch (error) {
    await end()
    throw error
  }
}
