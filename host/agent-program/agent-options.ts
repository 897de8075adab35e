// The options of the agent: arguments, then environment, then a file of JSON, then defaults.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

const logLevels = ['error', 'info', 'debug'] as const

/** `read` returns undefined for a wrong value. */
interface OptionRow {
  initial: string
  /** For the help. */
  text: string
  expected?: string
  read(text: string): string | number | boolean | undefined
}

const readText = (text: string) => text
const readFlag = (text: string) => (text === 'yes' ? true : text === 'no' ? false : undefined)
const readNumber = (most: number) => (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined

const rows = {
  server: {
    initial: '',
    text: 'address or name of the server; required',
    expected: 'an address',
    read: text => text || undefined,
  },
  port: { initial: '8889', text: "the server's port for agents", expected: 'a port', read: readNumber(65_535) },
  // The daemon identifies the computer by it.
  'local-address': {
    initial: '',
    text: 'the own IPv4 address to connect from',
    expected: 'an IPv4 address',
    read: text => (text === '' || isIP(text) === 4 ? text : undefined),
  },
  // By default the one of the connection.
  interface: { initial: '', text: 'the network interface to report', read: readText },
  'log-level': {
    initial: 'info',
    text: logLevels.join(', '),
    expected: `one of ${logLevels.join(', ')}`,
    read: text => logLevels.find(level => level === text),
  },
  'log-file': { initial: '', text: 'a file for the log, in place of standard output', read: readText },
  'poweroff-command': { initial: '', text: 'what turns the computer off', read: readText },
  'reboot-command': { initial: '', text: 'what restarts it', read: readText },
  // `no` where a live system reports them, which knows the systems of all partitions.
  disks: { initial: 'yes', text: 'no: a refresh reports no disks', expected: 'yes or no', read: readFlag },
  hello: { initial: 'yes', text: 'no: nothing is sent unasked but logins', expected: 'yes or no', read: readFlag },
  // By default the server and the port that the daemon says.
  url: {
    initial: '',
    text: "the address of the daemon's REST API, for updates",
    expected: 'an address such as https://fleet.example.org',
    read: text => (text === '' || (/^https?:\/\//.test(text) && URL.canParse(text)) ? text : undefined),
  },
  'trial-seconds': {
    initial: '30',
    text: 'how long an update may take to connect',
    expected: '1 to 600',
    read: readNumber(600),
  },
  live: { initial: 'no', text: 'Linux: yes in a live system', expected: 'yes or no', read: readFlag },
  root: { initial: '/', text: 'Linux: the folder that has sys, proc, etc and run', read: readText },
} satisfies Record<string, OptionRow>

type Rows = typeof rows
type Name = keyof Rows
type CamelCase<Text> = Text extends `${infer First}-${infer Second}` ? `${First}${Capitalize<Second>}` : Text

/** By the names in camel case: `logLevel` for `log-level`. */
export type AgentOptions = { [Key in Name as CamelCase<Key>]: NonNullable<ReturnType<Rows[Key]['read']>> }

// `as`: TypeScript takes the keys of an object for any text.
const names = Object.keys(rows) as Name[]

/** `FLEET_AGENT_LOG_LEVEL` for `log-level`. */
const variableOf = (name: string) => `FLEET_AGENT_${name.toUpperCase().replaceAll('-', '_')}`

/** In place of an option's own default. */
export type Defaults = Partial<Record<Name, string>>

const initialOf = (name: Name, defaults: Defaults): string => defaults[name] ?? rows[name].initial

const helpOf = (name: Name, initial: string) => `  --${name.padEnd(18)}${rows[name].text}${initial && ` (${initial})`}`

export const usageOf = (defaults: Defaults): string =>
  [
    'usage: fleet-agent --server ADDRESS [options]',
    '',
    'Keeps a connection to a fleet-host daemon and executes its commands on this computer.',
    '',
    ...names.map(name => helpOf(name, initialOf(name, defaults))),
    `  --${'config'.padEnd(18)}a file of JSON with these options as its keys`,
    '  --version, --help',
    '',
    `Each option can also be set in the environment: ${variableOf('log-level')} for --log-level.`,
  ].join('\n')

/** Throws an error with one line for an unknown option or a wrong value. */
export function readOptions(
  args: string[],
  environment: Record<string, string | undefined>,
  defaults: Defaults,
): AgentOptions | 'help' | 'version' {
  const texts = [...names, 'config'].map(name => [name, { type: 'string' }] as const)
  const flags = ['help', 'version'].map(name => [name, { type: 'boolean' }] as const)
  const options = Object.fromEntries([...texts, ...flags])
  const values: Record<string, unknown> = parseArgs({ args, options, allowPositionals: false }).values
  if (values.help) return 'help'
  if (values.version) return 'version'
  const file = readOptionsFile(values.config ?? environment[variableOf('config')])
  const entries = names.map(name => {
    const { expected, read }: OptionRow = rows[name]
    const sources = [
      [`--${name}`, values[name]],
      [variableOf(name), environment[variableOf(name)]],
      [name, file[name] ?? initialOf(name, defaults)],
    ]
    const [source, text = ''] = sources.find(([, text]) => text) ?? [name]
    const value = read(String(text))
    if (value === undefined) throw new Error(`${source}: expected ${expected}, got ${text || 'nothing'}`)
    return [name.replaceAll(/-./g, letters => letters.slice(1).toUpperCase()), value]
  })
  // `as`: each name has the value that its row has read.
  return Object.fromEntries(entries) as AgentOptions
}

function readOptionsFile(file: unknown): Record<string, string> {
  if (file === undefined) return {}
  let content: unknown
  try {
    content = JSON.parse(readFileSync(String(file), 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  if (!(content instanceof Object)) throw new Error(`${file}: expected an object of options`)
  const unknown = Object.keys(content).find(key => !names.some(name => name === key))
  if (unknown !== undefined) throw new Error(`${file}: expected one of ${names.join(', ')}, got ${unknown}`)
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, String(value)]))
}
