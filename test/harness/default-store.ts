// The store of the hosts that tests start: in memory, or the one that the runner's `--store` names.
import { UsedSchemas } from './used-schemas.ts'

/** The connection of a private server, as the runner passes it on; without it tests use the store that they name. */
const variable = 'FLEET_TEST_POSTGRES'

export const toEnvironment = (connection: object): Record<string, string> => ({
  [variable]: JSON.stringify(connection),
})

const server: object | undefined = JSON.parse(process.env[variable] ?? 'null') ?? undefined

/** Whether the store of all hosts is in PostgreSQL, whatever the tests say: they then have no files of their own. */
export const usesPostgres = server !== undefined

const schemas = new UsedSchemas(server ?? {})

/** By the folder of a host. */
const schemaOf = new Map<string, string>()

/**
 * The section `store` for a host whose folder is `folder`. Each folder has a schema of its own, as it would have files of
 * its own, so that a host that is started again in its folder finds its data.
 */
export function storeOptionsFor(folder: string, options?: unknown): unknown {
  const isOwn =
    isRecord(options) && typeof options.adapter === 'string' && !['memory', 'lowdb'].includes(options.adapter)
  if (server === undefined || isOwn) return options ?? { adapter: 'memory', path: './data' }
  const schema = schemaOf.get(folder) ?? schemas.take(`test_${process.pid}`)
  schemaOf.set(folder, schema)
  return { adapter: 'postgres', ...server, schema, pool: 5 }
}

/** Deletes the data of a host that was stopped for the last time. */
export async function dropStoreOf(folder: string): Promise<void> {
  const schema = schemaOf.get(folder)
  if (schema === undefined) return
  schemaOf.delete(folder)
  await schemas.giveBack(schema)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
