// Reads the options file: one schema with the defaults, and one-line errors that name the key.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import type { StoreOptions } from '../../stores/store.ts'
import type { Limits } from '../services.ts'
import { message } from '../system/log.ts'
import { formatAjvErrors } from '../system/validation-errors.ts'

export interface Options {
  rest: { ip: string; port: number; api_token?: string; os_states: boolean; open_metrics: boolean }
  agents: { ip: string; port: number; unknown: number }
  store: StoreOptions
  /** Folders of a site's own command files. */
  commands: string[]
  repository: { directory: string }
  boot: { templates: string; output: string; server?: string; lang: string; oglives?: string }
  wol: { interface?: string }
  limits: Limits
  /** Seconds until a command of that name fails without a reply; overrides the command's own deadline. */
  deadlines: Record<string, number>
}

/** An error in the options; the message is the one line that the administrator reads. */
export class OptionsError extends Error {}

const here = dirname(fileURLToPath(import.meta.url))

const text = { type: 'string', minLength: 1 } as const
const ip = (fallback: string) => ({ ...text, default: fallback })
// Existing sites write ports as strings.
const port = (fallback: number) => ({
  type: ['integer', 'string'],
  minimum: 0,
  maximum: 65_535,
  pattern: '^[0-9]{1,5}$',
  description: '0 to 65535',
  default: fallback,
})
const count = (fallback?: number) => ({ type: 'integer', minimum: 1, default: fallback })
// Maximum: the longest time of one Node timer.
const seconds = (fallback?: number) => ({ type: 'number', exclusiveMinimum: 0, maximum: 2_147_483, default: fallback })
const section = (properties: Record<string, object>, rest: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  default: {},
  properties,
  ...rest,
})

const schema = section({
  rest: section({
    ip: ip('127.0.0.1'),
    port: port(8888),
    // Characters that an HTTP header carries unchanged.
    api_token: { type: 'string', pattern: '^[!-~]+$', writeOnly: true, description: 'printable ASCII without spaces' },
    os_states: { type: 'boolean', default: false },
    open_metrics: { type: 'boolean', default: false },
  }),
  agents: section({
    ip: ip('0.0.0.0'),
    port: port(8889),
    // Connections from addresses without a computer record.
    unknown: { ...count(1000), minimum: 0 },
  }),
  store: section(
    { adapter: { ...text, default: 'lowdb' }, path: { ...text, default: './data' } },
    { additionalProperties: true },
  ),
  commands: { type: 'array', items: text, default: [] },
  repository: section({ directory: { ...text, default: './data/images' } }),
  boot: section({
    templates: { ...text, default: resolve(here, '../../boot-templates') },
    output: { ...text, default: './data/boot' },
    server: text,
    lang: { ...text, default: 'en_US.UTF-8' },
    oglives: text,
  }),
  wol: section({ interface: text }),
  limits: section({
    // Bytes of an incoming request, and of the body of a response to a read (the specification's limits).
    request: { ...count(131_072), minimum: 1024 },
    response: count(262_144),
    // The specification: the request size minus 700 bytes.
    forward: count(),
    // Characters of console output per client (the specification's limit).
    output: count(4095),
    answer_seconds: seconds(30),
    expiry_seconds: seconds(900),
    // 1,600 bytes for each of 10,000 events.
    events_bytes: count(16 * 1024 * 1024),
    jobs_days: count(30),
    jobs_count: count(10_000),
    // 1 GiB. Minimum: one output of the largest request.
    outputs_bytes: { ...count(1_073_741_824), minimum: 1_048_576 },
    run_steps: count(1000),
    // 33 steps for each of 3,000 computers.
    run_parts: count(100_000),
    // About 20 KB of memory each.
    connections: count(10_000),
    connections_per_address: count(1000),
  }),
  deadlines: section({}, { additionalProperties: seconds() }),
  // A section of existing sites' files; the section `store` replaces it.
  database: { type: 'object' },
})

const ajv = new Ajv({ useDefaults: true, strict: false, verbose: true })
const isValid = ajv.compile<Options & { database?: object }>(schema)

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
  return {
    options: {
      ...options,
      rest: { ...rest, port: asPort(rest.port, 'rest.port', file) },
      agents: { ...agents, port: asPort(agents.port, 'agents.port', file) },
      store: { ...store, path: from(store.path) },
      commands: options.commands.map(from),
      repository: { directory: from(repository.directory) },
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
