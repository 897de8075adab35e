// The options' section `store` for this adapter: how the database is reached.
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import type { ClientConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { refuseUnknownKeys } from '../../check-options.ts'
import type { StoreOptions } from '../../store.ts'

export interface PostgresOptions {
  /** What is absent comes from the variables of the environment that `psql` knows too: PGHOST, PGPASSWORD and so on. */
  connection: ClientConfig
  /** The schema that has the tables. */
  schema: string
  /** Connections that are open at most. */
  pool: number
  /** Settings of the server for these connections, besides those of all connections. */
  settings?: Readonly<Record<string, string | number>>
  /** The name of this host of a fleet; undefined for a process that uses the database alone. */
  member?: string | undefined
  /** Where the database is, for messages: never with the password. */
  label: string
}

const defaultSchema = 'fleet'
const defaultPool = 10
const mostConnections = 200

const keys = ['url', 'host', 'port', 'database', 'user', 'password_file', 'schema', 'pool']

/** Rejects with an error of one line when an option is wrong or the password's file cannot be read. */
export async function readOptions(options: StoreOptions): Promise<PostgresOptions> {
  const settings = parseOptions(options)
  // It is read again for each connection, as it may be changed while the daemon runs.
  if (typeof options.password_file === 'string') await readPassword(options.password_file)
  return settings
}

/** The same without reading the password's file. */
export function parseOptions(options: StoreOptions): PostgresOptions {
  refuseUnknownKeys(options, keys)
  const text = (key: string) => readText(options, key)
  const address = toAddress(text('url'))
  const host = text('host') ?? address.host
  const port = readNumber(options, 'port', 65_535) ?? address.port
  const database = text('database') ?? address.database
  // As psql does; the package takes it from a variable that services need not have.
  const user = text('user') ?? address.user ?? process.env.PGUSER ?? userInfo().username
  const file = text('password_file')
  if (file !== undefined && !isAbsolute(file)) {
    throw new Error(`store.password_file: expected an absolute path, got ${JSON.stringify(file)}`)
  }
  const password = file === undefined ? address.password : () => readPassword(file)
  const connection = { ...address.rest, ...defined({ host, port, database, user, password }) }
  const schema = text('schema') ?? defaultSchema
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new Error(`store.schema: expected small letters, digits and _, got ${JSON.stringify(schema)}`)
  }
  const place = `${host ?? process.env.PGHOST ?? 'localhost'}:${port ?? process.env.PGPORT ?? 5432}`
  return {
    connection,
    schema,
    member: options.member,
    pool: readNumber(options, 'pool', mostConnections) ?? defaultPool,
    label: `database ${database ?? process.env.PGDATABASE ?? user ?? ''} at ${place}, schema ${schema}`,
  }
}

type Address = Pick<ClientConfig, 'host' | 'port' | 'database' | 'user' | 'password'> & { rest: ClientConfig }

function toAddress(url: string | undefined): Address {
  if (url === undefined) return { rest: {} }
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('store.url: expected postgres://user@host:5432/database')
  try {
    const { host, port, database, user, password, ssl } = parse(url)
    // `as`: the package's type for TLS options is wider than what it returns for a URL.
    const rest = ssl === undefined ? {} : { ssl: ssl as NonNullable<ClientConfig['ssl']> }
    return { ...defined({ host, port: port ? Number(port) : undefined, database, user, password }), rest }
  } catch {
    // The package's message may contain the password.
    throw new Error('store.url: expected postgres://user@host:5432/database, got a text that is no such URL')
  }
}

/** Without keys that are undefined, null or ''. */
function defined<Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  // `as`: the entries that are left are those of the result's type.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value ?? false)) as never
}

function readText(options: StoreOptions, key: string): string | undefined {
  const value = options[key]
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new Error(`store.${key}: expected a text, got ${JSON.stringify(value)}`)
}

function readNumber(options: StoreOptions, key: string, most: number): number | undefined {
  const value = options[key]
  if (value === undefined) return undefined
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
  if (!isValid) throw new Error(`store.${key}: expected 1 to ${most}, got ${JSON.stringify(value)}`)
  return value
}

async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`store.password_file: ${error instanceof Error ? error.message : error}`)
  }
}
