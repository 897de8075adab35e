// A connection that lasts as long as the host: it is notified of changes and holds the host's name. Opened again when lost.
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { describeError, noResponse } from '../database-error.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { waitForSilence } from '../silence.ts'

export interface SessionHandlers {
  onNotification(payload: string): void
  onOpen(): void
  onLost(): void
}

/** Milliseconds until a connection is given up, between checks that it is alive, and until the server must respond. */
const connectTime = 1500
const checkTime = 1000
const responseTime = 1500

/** Milliseconds before the connection is opened again, the first time and at most. */
const firstPause = 200
const longestPause = 1000

/** So that the server ends the session of a machine that is gone, and with it the lock of the host's name: seconds. */
const serverSettings = ['tcp_keepalives_idle=2', 'tcp_keepalives_interval=1', 'tcp_keepalives_count=3']

export class FleetSession {
  readonly #options: PostgresOptions
  readonly #channel: string
  #handlers: SessionHandlers | undefined
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()
  /** The locks of names that this process took, and whether the present session has them. */
  readonly #names = new Map<string, boolean>()

  constructor(options: PostgresOptions, channel: string) {
    this.#options = options
    this.#channel = channel
  }

  /** Rejects when the first connection cannot be opened; later it is opened again and again. */
  async open(): Promise<void> {
    this.#client = await this.#connect()
    this.#startCheck(this.#client)
  }

  listen(handlers: SessionHandlers): void {
    this.#handlers = handlers
    if (this.#client) queueMicrotask(handlers.onOpen)
  }

  /** Takes the lock of a name; false while another session has it. It is taken again after the connection was lost. */
  async hold(name: string): Promise<boolean> {
    if (this.#names.get(name)) return true
    const client = this.#client
    if (!client) throw describeError(new Error('the connection for notifications is lost'))
    if (!(await this.#lock(client, name))) return false
    // Not when it was lost meanwhile, and the lock with it.
    this.#names.set(name, client === this.#client)
    return true
  }

  async release(name: string): Promise<void> {
    if (!this.#names.has(name)) return
    this.#names.delete(name)
    await this.#client?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [this.#lockOf(name)])
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    if (client) await Promise.race([client.end(), wait(responseTime, undefined, { ref: false })]).catch(() => {})
    if (client) destroy(client)
  }

  /** The locks of all schemas and databases of the server are in one space. */
  #lockOf(name: string): string {
    return `fleet-host ${this.#channel} ${name}`
  }

  async #lock(client: Client, name: string): Promise<boolean> {
    const statement = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held'
    const { rows } = await client.query<{ held: boolean }>(statement, [this.#lockOf(name)])
    return rows[0]?.held ?? false
  }

  async #connect(): Promise<Client> {
    const { connection } = this.#options
    const client = new Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: checkTime,
      connectionTimeoutMillis: connectTime,
      application_name: 'fleet-host notifications',
      options: [connection.options ?? '', ...serverSettings.map(setting => `-c ${setting}`)].join(' '),
      stream: () => new Socket(),
    })
    client.on('error', () => this.#onEnd(client))
    client.on('end', () => this.#onEnd(client))
    client.on('notification', ({ payload = '' }) => this.#handlers?.onNotification(payload))
    try {
      await client.connect()
      await answer(client.query(`listen ${client.escapeIdentifier(this.#channel)}`))
      for (const name of this.#names.keys()) this.#names.set(name, await answer(this.#lock(client, name)))
    } catch (error) {
      destroy(client)
      throw describeError(error)
    }
    return client
  }

  #onEnd(client: Client): void {
    if (client !== this.#client) return
    this.#client = undefined
    clearTimeout(this.#timer)
    destroy(client)
    for (const name of this.#names.keys()) this.#names.set(name, false)
    this.#handlers?.onLost()
    void this.#openAgain()
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#closing
    for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      const client = await this.#connect().catch(() => undefined)
      if (client && signal.aborted) return destroy(client)
      if (client) {
        this.#client = client
        // The server may not have ended the session that was lost: the locks are taken soon.
        this.#startCheck(client, firstPause)
        return this.#handlers?.onOpen()
      }
      await wait(pause, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  #startCheck(client: Client, milliseconds = checkTime): void {
    this.#timer = setTimeout(() => void this.#check(client), milliseconds).unref()
  }

  /** Also takes locks that another session had when this one began: an earlier one of this process, for instance. */
  async #check(client: Client): Promise<void> {
    try {
      await answer(client.query('select 1'))
      for (const [name, isHeld] of this.#names) {
        if (!isHeld && (await answer(this.#lock(client, name)))) this.#names.set(name, true)
      }
    } catch {
      return this.#onEnd(client)
    }
    if (client === this.#client) this.#startCheck(client)
  }
}

/** Rejects when the server does not respond in time. */
async function answer<Result>(query: Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  try {
    const late = waitForSilence(responseTime, stop.signal).then(() => Promise.reject(new Error(noResponse)))
    return await Promise.race([query, late])
  } finally {
    stop.abort()
  }
}

/** At once, also when the server does not respond. */
function destroy(client: Client): void {
  client.connection.stream.destroy()
  client.end().catch(() => {})
}
