// Notifications between hosts: a few bytes each, which say what to read. Who misses one reads a second later.
import type { Client } from 'pg'
import type { Bell, Bells } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { LastingConnection } from '../connection/lasting-connection.ts'
import type { PostgresOptions } from '../connection/postgres-options.ts'
import { sql } from '../connection/sql.ts'

/** The longest name of a channel. */
const mostBytes = 63

/** Schemas with the same 57 bytes at the beginning share one: hosts then read more often than they must. */
export const channelOf = (schema: string) => `fleet_${schema}`.slice(0, mostBytes)

const workPrefix = 'work '

export function toPayload(bell: Bell): string {
  return bell.type === 'work' ? workPrefix + bell.host : bell.type
}

function toBell(payload: string): Bell | undefined {
  if (payload === 'hosts' || payload === 'news') return { type: payload }
  return payload.startsWith(workPrefix) ? { type: 'work', host: payload.slice(workPrefix.length) } : undefined
}

/** Milliseconds. */
const patience = 1500

/** A connection of its own: whoever may connect to the database can notify so often that it ends. */
export class Notifications implements Bells {
  readonly #connection: LastingConnection
  #handlers: Parameters<Bells['listen']>[0] | undefined

  constructor(options: PostgresOptions, channel: string) {
    this.#connection = new LastingConnection(options, {
      name: 'fleet-host notifications',
      patience,
      begin: client => this.#begin(client, channel),
      check: client => client.query('select 1'),
      onOpen: () => this.#handlers?.onOpen(),
      onLost: () => this.#handlers?.onLost(),
    })
  }

  open(): Promise<void> {
    return this.#connection.open()
  }

  listen(handlers: Parameters<Bells['listen']>[0]): void {
    this.#handlers = handlers
    if (this.#connection.client) queueMicrotask(handlers.onOpen)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #begin(client: Client, channel: string): Promise<void> {
    client.on('notification', ({ payload = '' }) => {
      const bell = toBell(payload)
      if (bell) this.#handlers?.onBell(bell)
    })
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }
}

/**
 * Notifies after a transaction: within it, the server would let all transactions that notify wait for the disk one after
 * another. Those that come while one is on its way go together.
 */
export class BellRinger {
  readonly #database: Database
  readonly #channel: string
  readonly #pending = new Set<string>()
  #ringing: Promise<void> | undefined

  constructor(database: Database, channel: string) {
    this.#database = database
    this.#channel = channel
  }

  ring(bells: readonly Bell[]): void {
    for (const bell of bells) this.#pending.add(toPayload(bell))
    if (this.#pending.size > 0) this.#ringing ??= this.#ring()
  }

  async close(): Promise<void> {
    await this.#ringing
  }

  async #ring(): Promise<void> {
    while (this.#pending.size > 0) {
      const payloads = [...this.#pending]
      this.#pending.clear()
      const statement = sql`select pg_notify(${this.#channel}, payload) from unnest(${payloads}::text[]) as payload`
      // One that is lost costs a second: hosts also read without it.
      await this.#database.write(statements => statement.run(statements)).catch(() => {})
    }
    this.#ringing = undefined
  }
}
