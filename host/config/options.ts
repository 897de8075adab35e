// Reads the options file; an error is one line that names the key.
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { Ajv } from 'ajv'
import type { StoreOptions } from '../../stores/store.ts'
import type { Limits } from '../contract/services.ts'
import { message } from '../log/log.ts'
import { isNetwork } from '../system/networks.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'
import { optionsSchema } from './options-schema.ts'

export interface Options {
  rest: {
    ip: string
    port: number
    api_token?: string
    os_states: boolean
    open_metrics: boolean
    proxy_user?: ProxyUserOptions
    names: string[]
    /** Addresses and networks of proxies: the address that they forward is the caller's. */
    proxies: string[]
    tls?: TlsOptions
  }
  agents: { ip: string; port: number; adopt: AdoptOptions | null } & AgentLimits
  store: StoreOptions
  /** Folders of a site's own command files. */
  commands: string[]
  repository: RepositoryOptions
  images: { log: LogOptions }
  boot: { templates: string; output: string; server?: string; lang: string; oglives?: string }
  wol: { interface?: string }
  limits: Limits
  /** Seconds until a command of that name fails without a reply; overrides the command's own deadline. */
  deadlines: Record<string, number>
  /** Absent: the daemon runs alone. */
  cluster?: ClusterOptions
}

/** One of several hosts that share a store. */
export interface ClusterOptions {
  /** Of this host; default: the name of the machine. */
  name?: string
  /** A host that has not written its heartbeat for so long is gone. */
  lease_seconds: number
}

/** The console log that live systems serve by HTTP, which is read while a client copies an image. */
export interface LogOptions {
  off: boolean
  port: number
  path: string
  /** Seconds between two reads. */
  period_seconds: number
  /** What lines mean: `error`, `done`, `progress` with a group `percent`, or `ignore`. */
  patterns: { means: 'error' | 'done' | 'progress' | 'ignore'; pattern: string }[]
}

/** The folder of this server's image files. */
export interface RepositoryOptions {
  directory: string
  /** Older files of each image. */
  keep_versions: number
  /** Days that deleted files stay in the bin. */
  keep_days: number
  /** Whether agents write `<name>.img.full.sum` next to the images that they create. */
  checksums: boolean
}

/** A proxy that logs people in, by single sign-on for example. */
export interface ProxyUserOptions {
  /** The name of the header that it sets to the user's name. */
  header: string
  /** The proxy's addresses or networks: from others the header means nothing. */
  from: string[]
}

/** Files in PEM form: the server's certificate, followed by those of intermediate authorities, and its private key. */
export interface TlsOptions {
  cert: string
  key: string
}

/** Every client that introduces itself gets a record in this room. */
export interface AdoptOptions {
  room: number
}

/** Which connections of agents are kept; read at each new connection. */
export interface AgentLimits {
  /** From all addresses, from those of computer records, or from these networks. */
  allow: 'any' | 'known' | string[]
  /** Most connections from addresses without a computer record. */
  unknown: number
  /** Most connections. */
  connections: number
  /** Most new connections of one address within a minute. */
  connections_per_minute: number
}

/** An error in the options; the message is the one line that the administrator reads. */
export class OptionsError extends Error {}

function isRegex(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}

const ajv = new Ajv({
  useDefaults: true,
  strict: false,
  verbose: true,
  formats: { network: isNetwork, regex: isRegex },
})
const isValid = ajv.compile<Options & { database?: object }>(optionsSchema)

/**
 * Reads the options from a JSON file; without one all have their defaults. Relative paths are relative to the file, or
 * without a file to the working directory. `unused` lists sections of existing sites that this daemon does not need.
 */
export function loadOptions(file?: string): { options: Options; unused: string[] } {
  const content: unknown = file === undefined ? {} : parse(file)
  if (!isValid(content)) throw new OptionsError(`${file}: ${formatAjvErrors(isValid.errors, 'options')}`)
  const { database, ...options } = content
  const base = file === undefined ? process.cwd() : dirname(resolve(file))
  const from = (path: string) => resolve(base, path)
  const { rest, agents, store, repository, boot, limits } = options
  if (options.cluster && store.adapter !== 'postgres' && !isAbsolute(store.adapter)) {
    throw new OptionsError(`${file}: cluster: expected store.adapter postgres, got ${store.adapter}`)
  }
  return {
    options: {
      ...options,
      rest: {
        ...rest,
        port: asPort(rest.port, 'rest.port', file),
        ...(rest.tls && { tls: { cert: from(rest.tls.cert), key: from(rest.tls.key) } }),
      },
      agents: { ...agents, port: asPort(agents.port, 'agents.port', file) },
      store: { ...store, path: from(store.path) },
      commands: options.commands.map(from),
      repository: { ...repository, directory: from(repository.directory) },
      boot: {
        ...boot,
        templates: from(boot.templates),
        output: from(boot.output),
        ...(boot.oglives === undefined ? {} : { oglives: from(boot.oglives) }),
      },
      limits: { ...limits, forward: limits.forward ?? limits.request - 700 },
    },
    unused: database === undefined ? [] : ['database'],
  }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OptionsError(`${file}: cannot be read as JSON: ${message(error).replaceAll(/\s+/g, ' ')}`)
  }
}

function asPort(value: number | string, key: string, file?: string): number {
  const number = Number(value)
  if (number > 65_535) throw new OptionsError(`${file}: ${key}: expected 0 to 65535, got ${value}`)
  return number
}
