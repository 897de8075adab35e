// Notifications between hosts: a few bytes each, which say what to read. Who misses one reads a second later.
import type { Client } from 'pg'
import type { Notice, Notifications } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { LastingConnection } from '../connection/lasting-connection.ts'
import type { PostgresOptions } from '../connection/postgres-options.ts'
import { sql } from '../connection/sql.ts'

/** The longest name of a channel. */
const mostBytes = 63

/** Schemas with the same 57 bytes at the beginning share one: hosts then read more often than they must. */
export const channelOf = (schema: string) => `fleet_${schema}`.slice(0, mostBytes)

const workPrefix = 'work '

export function toPayload(notice: Notice): string {
  return notice.type === 'work' ? workPrefix + notice.host : notice.type
}

function toNotice(payload: string): Notice | undefined {
  if (payload === 'hosts' || payload === 'published') return { type: payload }
  return payload.startsWith(workPrefix) ? { type: 'work', host: payload.slice(workPrefix.length) } : undefined
}

/** Milliseconds. */
const patience = 1500

/** A connection of its own: whoever may connect to the database can notify so often that it ends. */
export class PostgresNotifications implements Notifications {
  readonly #connection: LastingConnection
  #handlers: Parameters<Notifications['listen']>[0] | undefined

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

  listen(handlers: Parameters<Notifications['listen']>[0]): void {
    this.#handlers = handlers
    if (this.#connection.client) queueMicrotask(handlers.onOpen)
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #begin(client: Client, channel: string): Promise<void> {
    client.on('notification', ({ payload = '' }) => {
      const notice = toNotice(payload)
      if (notice) this.#handlers?.onNotice(notice)
    })
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
  }
}

/**
 * Notifies after a transaction: within it, the server would let all transactions that notify wait for the disk one after
 * another. Those that come while one is on its way go together.
 */
export class Notifier {
  readonly #database: Database
  readonly #channel: string
  readonly #pending = new Set<string>()
  #notifying: Promise<void> | undefined

  constructor(database: Database, channel: string) {
    this.#database = database
    this.#channel = channel
  }

  notify(notices: readonly Notice[]): void {
    for (const notice of notices) this.#pending.add(toPayload(notice))
    if (this.#pending.size > 0) this.#notifying ??= this.#notify()
  }

  async close(): Promise<void> {
    await this.#notifying
  }

  async #notify(): Promise<void> {
    while (this.#pending.size > 0) {
      const payloads = [...this.#pending]
      this.#pending.clear()
      const statement = sql`select pg_notify(${this.#channel}, payload) from unnest(${payloads}::text[]) as payload`
      // One that is lost costs a second: hosts also read without it.
      await this.#database.write(statements => statement.run(statements)).catch(() => {})
    }
    this.#notifying = undefined
  }
}
