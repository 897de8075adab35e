// Says in a table who uses the database: one process alone, or the hosts of a fleet. Its row counts while its session lasts.
//
// It is no lock of the server: whoever may connect can take an advisory one, and a transaction that has locked a row for
// weeks keeps all deleted rows. This needs the right to change the table, and the server knows which sessions there are.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import type { StoreLog } from '../../store.ts'
import { currentVersion, versionMismatch } from '../migrations/create-tables.ts'
import type { WriteGuard } from './database.ts'
import { describeError, withoutStack } from './database-error.ts'
import { answer, LastingConnection } from './lasting-connection.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { deletion, describe, insertion, lastPeriod, nextPeriod, type SessionRow, selection } from './session-rows.ts'

interface SessionUse {
  /** No other process may use the database; otherwise other hosts may. */
  isAlone: boolean
  log?: StoreLog
}

/** Milliseconds until others must have ended: the server may need a moment to notice that a killed process is gone. */
const startTime = 2000
const startPause = 50

/** Milliseconds that a write waits for a lost session, which is opened again each second. */
const lostTime = 1200
const lostPause = 50

/** Milliseconds until the server must respond: a busy one may take its time. */
const patience = 10_000

/** Milliseconds. */
const clockTolerance = 1000

export class StoreSession implements WriteGuard {
  readonly #id = randomUUID()
  readonly #use: SessionUse
  readonly #schema: string
  readonly #holder: string
  readonly #connection: LastingConnection
  /** Counts the changes between processes that may not use the database together. Undefined until it is taken. */
  #period: number | undefined
  #problem: string | undefined
  /** Whether the clocks do. */
  #differs = false
  #name: string | undefined
  #isNameHeld = false
  /** The last statement or transaction: one at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: PostgresOptions, use: SessionUse) {
    const { schema, member } = options
    this.#use = use
    this.#schema = schema
    this.#holder = `${member === undefined ? '' : `host ${member}, `}process ${process.pid} on ${hostname()}`
    this.#connection = new LastingConnection(options, {
      name: 'fleet-host session',
      patience,
      begin: client => this.#begin(client),
      check: client => this.#check(client),
    })
  }

  /** Rejects with one line when another process has the database, and has not ended soon. */
  async open(): Promise<void> {
    await this.#connection.open()
    const deadline = performance.now() + startTime
    while (this.#problem !== undefined && performance.now() < deadline) {
      await wait(startPause)
      await this.#take(this.#openClient())
    }
    if (this.#problem === undefined) return
    await this.close()
    throw new Error(this.#problem)
  }

  async requireTaken(ask: () => Promise<unknown>): Promise<void> {
    if (this.#period === undefined) return
    if (this.#problem === undefined && !this.#connection.client) await this.#waitForReturn(ask)
    if (this.#problem !== undefined) throw withoutStack(new Error(this.#problem))
  }

  /** Takes a name that no other session may have; false when one has it. It is taken again after the session was lost. */
  async hold(name: string): Promise<boolean> {
    const before = this.#name
    if (name === before && this.#isNameHeld) return true
    this.#name = name
    try {
      await answer(this.#take(this.#openClient()))
    } catch (error) {
      this.#name = before
      throw describeError(error)
    }
    if (this.#isNameHeld) return true
    this.#name = before
    return false
  }

  async release(): Promise<void> {
    this.#name = undefined
    if (this.#connection.client) await this.#take(this.#connection.client)
  }

  async close(): Promise<void> {
    // Others need not wait until the server has noticed the end.
    await this.#connection.close(client =>
      this.#run(() => client.query('update store_sessions set pid = 0 where id = $1', [this.#id])),
    )
  }

  #openClient(): Client {
    const { client } = this.#connection
    if (!client) throw describeError(new Error('the session of this process is lost'))
    return client
  }

  async #waitForReturn(ask: () => Promise<unknown>): Promise<void> {
    // Rejects at once when the server is away, with the reason.
    await ask()
    const deadline = performance.now() + lostTime
    while (!this.#connection.client && performance.now() < deadline) await wait(lostPause, undefined, { ref: false })
    this.#openClient()
  }

  async #begin(client: Client): Promise<void> {
    this.#isNameHeld = false
    await this.#take(client)
  }

  /** Also takes a name that another session had when this one began: an earlier one of this process, for instance. */
  async #check(client: Client): Promise<void> {
    const began = Date.now()
    const text =
      'select max(version) as version, extract(epoch from clock_timestamp()) * 1000 as now from schema_versions'
    const { rows } = await this.#run(() => client.query<{ version: number; now: string }>(text))
    const [{ version, now } = { version: 0, now: began }] = rows
    this.#compareClocks(Number(now), began)
    if (version > currentVersion) this.#end(versionMismatch(this.#schema, version))
    if (this.#name !== undefined && !this.#isNameHeld) await this.#take(client)
  }

  /** A response that took long does not say how late the clock is. */
  #compareClocks(now: number, began: number): void {
    const [least, most] = [began - now, Date.now() - now]
    const differs = least > clockTolerance || most < -clockTolerance
    if (differs === this.#differs) return
    this.#differs = differs
    const { log } = this.#use
    if (!differs) return log?.info('store', 'PostgreSQL: its clock and that of this machine agree again')
    const seconds = ((least > 0 ? least : most) / 1000).toFixed(1)
    const problem = `this machine's clock is ${seconds} s before its clock`
    log?.warn('store', `PostgreSQL: ${problem}: schedules need equal clocks`)
  }

  #take(client: Client): Promise<void> {
    return this.#run(() => inTransaction(client, () => this.#store(client)))
  }

  #run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  async #store(client: Client): Promise<void> {
    await client.query('lock table store_sessions in share row exclusive mode')
    const { rows } = await client.query<SessionRow>(selection, [this.#id])
    const live = rows.filter(row => row.live)
    const problem = this.#findProblem(live, rows)
    if (this.#period !== undefined && problem !== undefined) return this.#end(`${problem}; restart this daemon`)
    this.#problem = problem
    if (problem !== undefined) return
    this.#period ??= nextPeriod(rows, this.#use.isAlone)
    this.#isNameHeld = this.#name !== undefined && live.every(({ name }) => name !== this.#name)
    const name = this.#isNameHeld ? this.#name : null
    const values = [this.#id, this.#use.isAlone, currentVersion, this.#period, this.#holder, name]
    await client.query(deletion, [this.#id])
    await client.query(insertion, values)
  }

  #findProblem(live: readonly SessionRow[], rows: readonly SessionRow[]): string | undefined {
    const { isAlone } = this.#use
    const excluded = live.find(({ alone }) => alone || isAlone)
    const expected = isAlone ? 'no other process that uses the database' : 'only hosts with the option cluster'
    if (excluded) return `expected ${expected}, got ${describe(excluded)}`
    const different = live.find(({ tables }) => tables !== currentVersion)
    if (different) return `expected only hosts with tables of version ${currentVersion}, got ${describe(different)}`
    const wasReplaced = this.#period !== undefined && lastPeriod(rows) > this.#period
    return wasReplaced ? `expected ${expected}, got one while the session was lost` : undefined
  }

  /** For good: what this process has in memory may be older than the database. */
  #end(problem: string): void {
    if (this.#problem === undefined) this.#use.log?.warn('store', problem)
    this.#problem ??= problem
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
