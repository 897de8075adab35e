// The store of the hosts that tests start: in memory, or the one that the runner's `--store` names.
import { createHash } from 'node:crypto'
import { Client } from 'pg'

/** The connection of a private server, as the runner passes it on; without it tests use the store that they name. */
const variable = 'FLEET_TEST_POSTGRES'

export const toEnvironment = (connection: object): Record<string, string> => ({
  [variable]: JSON.stringify(connection),
})

const server = process.env[variable]

/** Whether the store of all hosts is in PostgreSQL, whatever the tests say: they then have no files of their own. */
export const usesPostgres = server !== undefined

/**
 * The section `store` for a host whose folder is `folder`. Each folder has a schema of its own, as it would have files of
 * its own, so that a host that is started again in its folder finds its data.
 */
export function storeOptionsFor(folder: string, options?: unknown): unknown {
  const isOwn =
    isRecord(options) && typeof options.adapter === 'string' && !['memory', 'lowdb'].includes(options.adapter)
  if (server === undefined || isOwn) return options ?? { adapter: 'memory', path: './data' }
  return { adapter: 'postgres', ...JSON.parse(server), schema: schemaOf(folder), pool: 5 }
}

/** Deletes the data of a host that was stopped for the last time. */
export async function dropStoreOf(folder: string): Promise<void> {
  if (server === undefined) return
  const client = new Client(JSON.parse(server))
  await client.connect()
  await client.query(`set client_min_messages = warning; drop schema if exists ${schemaOf(folder)} cascade`)
  await client.end()
}

const schemaOf = (folder: string) => `test_${createHash('sha256').update(folder).digest('hex').slice(0, 20)}`

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
