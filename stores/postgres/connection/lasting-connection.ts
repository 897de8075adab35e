// A connection that lasts as long as the store: it is checked each second, and opened again when it was lost.
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { describeError, noResponse } from './database-error.ts'
import type { PostgresOptions } from './postgres-options.ts'
import { waitForTimeout } from './response-timeout.ts'

interface ConnectionUse {
  /** What it is for, as `pg_stat_activity` shows it. */
  name: string
  /** Milliseconds until the server must respond. */
  patience: number
  /** Runs in each new connection before it counts as open. Rejects when it cannot be used. */
  begin(client: Client): Promise<unknown>
  /** Runs in the open connection each second, and soon after it was opened again. Rejects when the connection is lost. */
  check(client: Client): Promise<unknown>
  /** Not called for the first connection. */
  onOpen?(): void
  onLost?(): void
}

/** Milliseconds until a connection is given up, and between checks that it is alive. */
const connectTime = 1500
const checkTime = 1000

/** Milliseconds until a server must respond that is not busy. */
const responseTime = 1500

/** Milliseconds before the connection is opened again, the first time and at most. */
const firstPause = 200
const longestPause = 1000

/** So that the server ends the session of a machine that is gone, and with it what it holds: seconds. */
const serverSettings = ['tcp_keepalives_idle=2', 'tcp_keepalives_interval=1', 'tcp_keepalives_count=3']

export class LastingConnection {
  readonly #options: PostgresOptions
  readonly #use: ConnectionUse
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  constructor(options: PostgresOptions, use: ConnectionUse) {
    this.#options = options
    this.#use = use
  }

  /** Undefined while it is lost. */
  get client(): Client | undefined {
    return this.#client
  }

  /** Rejects when the first connection cannot be opened; later it is opened again and again. */
  async open(): Promise<void> {
    this.#client = await this.#connect()
    this.#startCheck(this.#client)
  }

  /** `last` is run in it before. */
  async close(last: (client: Client) => Promise<unknown> = async () => {}): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    if (!client) return
    const end = async () => {
      await last(client)
      await client.end()
    }
    await Promise.race([end(), wait(responseTime, undefined, { ref: false })]).catch(() => {})
    destroy(client)
  }

  async #connect(): Promise<Client> {
    const { connection, schema } = this.#options
    const settings = [`search_path="${schema}"`, ...serverSettings]
    const client = new Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: checkTime,
      connectionTimeoutMillis: connectTime,
      application_name: this.#use.name,
      options: [connection.options ?? '', ...settings.map(setting => `-c ${setting}`)].join(' '),
      stream: () => new Socket(),
    })
    client.on('error', () => this.#onEnd(client))
    client.on('end', () => this.#onEnd(client))
    try {
      await client.connect()
      await answer(this.#use.begin(client), this.#use.patience)
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
    this.#use.onLost?.()
    void this.#openAgain()
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#closing
    for (let pause = firstPause; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      const client = await this.#connect().catch(() => undefined)
      if (client && signal.aborted) return destroy(client)
      if (client) {
        this.#client = client
        // The server may not have ended the session that was lost.
        this.#startCheck(client, firstPause)
        return this.#use.onOpen?.()
      }
      await wait(pause, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  #startCheck(client: Client, milliseconds = checkTime): void {
    this.#timer = setTimeout(() => void this.#check(client), milliseconds).unref()
  }

  async #check(client: Client): Promise<void> {
    try {
      await answer(this.#use.check(client), this.#use.patience)
    } catch {
      return this.#onEnd(client)
    }
    if (client === this.#client) this.#startCheck(client)
  }
}

/** Rejects when the server does not respond in so many milliseconds. */
export async function answer<Result>(query: Promise<Result>, patience = responseTime): Promise<Result> {
  const stop = new AbortController()
  try {
    const late = waitForTimeout(patience, stop.signal).then(() => Promise.reject(new Error(noResponse)))
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
