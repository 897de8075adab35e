// The options of the agent: arguments, then environment, then a file of JSON, then defaults.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

export interface AgentOptions {
  /** Address or name of the daemon's server. */
  server: string
  /** The daemon's port for agents. */
  port: number
  /** The own address to connect from, '' for the system's choice: the daemon identifies the computer by it. */
  localAddress: string
  /** The network interface whose address and speed are reported, '' for the one of the connection. */
  interface: string
  logLevel: LogLevel
  /** Scripts for a shell. */
  poweroffCommand: string
  rebootCommand: string
  /** Whether a refresh reports disks. `no` where a live system reports them, which knows the systems of all partitions. */
  disks: boolean
  /** Whether the agent introduces itself when it has connected. */
  hello: boolean
  /** The base of the daemon's REST API, for updates: '' for the server and the port that the daemon says. */
  url: string
  /** Until a new program has connected. */
  trialSeconds: number
  /** The folder that has `sys`, `proc`, `etc` and `run`. */
  root: string
}

const logLevels = ['error', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

interface OptionRow {
  initial: string
  /** For the help. */
  text: string
  expected?: string
  accepts?: (value: string) => boolean
}

const isYesOrNo = (value: string) => value === 'yes' || value === 'no'

const rows = {
  server: { initial: '', text: 'address or name of the server; required', expected: 'an address', accepts: Boolean },
  port: {
    initial: '8889',
    text: "the server's port for agents",
    expected: 'a port',
    accepts: value => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535,
  },
  'local-address': {
    initial: '',
    text: 'the own IPv4 address to connect from',
    expected: 'an IPv4 address',
    accepts: value => value === '' || isIP(value) === 4,
  },
  interface: { initial: '', text: 'the network interface to report' },
  'log-level': {
    initial: 'info',
    text: logLevels.join(', '),
    expected: `one of ${logLevels.join(', ')}`,
    accepts: value => logLevels.some(level => level === value),
  },
  'poweroff-command': { initial: 'systemctl poweroff', text: 'what turns the computer off' },
  'reboot-command': { initial: 'systemctl reboot', text: 'what restarts it' },
  disks: { initial: 'yes', text: 'no: a refresh reports no disks', expected: 'yes or no', accepts: isYesOrNo },
  hello: { initial: 'yes', text: 'no: nothing is sent unasked but logins', expected: 'yes or no', accepts: isYesOrNo },
  url: {
    initial: '',
    text: "the address of the daemon's REST API, for updates",
    expected: 'an address such as https://fleet.example.org',
    accepts: value => value === '' || (/^https?:\/\//.test(value) && URL.canParse(value)),
  },
  'trial-seconds': {
    initial: '30',
    text: 'how long an update may take to connect',
    expected: '1 to 600',
    accepts: value => /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 600,
  },
  root: { initial: '/', text: 'the folder that has sys, proc, etc and run' },
} satisfies Record<string, OptionRow>

type Name = keyof typeof rows
const names = Object.keys(rows).filter((name): name is Name => name in rows)

/** `FLEET_AGENT_LOG_LEVEL` for `log-level`. */
const variableOf = (name: string) => `FLEET_AGENT_${name.toUpperCase().replaceAll('-', '_')}`

export const usage = [
  'usage: fleet-agent --server ADDRESS [options]',
  '',
  'Keeps a connection to a fleet-host daemon and executes its commands on this computer.',
  '',
  ...names.map(name => `  --${name.padEnd(18)}${rows[name].text}${rows[name].initial && ` (${rows[name].initial})`}`),
  `  --${'config'.padEnd(18)}a file of JSON with these options as its keys`,
  '  --version, --help',
  '',
  `Each option can also be set in the environment: ${variableOf('log-level')} for --log-level.`,
].join('\n')

/** Throws an error with one line for an unknown option or a wrong value. */
export function readOptions(
  args: string[],
  environment: Record<string, string | undefined>,
): AgentOptions | 'help' | 'version' {
  const values = parseArguments(args)
  if (values.help) return 'help'
  if (values.version) return 'version'
  const file = readOptionsFile(values.config ?? environment[variableOf('config')])
  const textOf = (name: Name): string => {
    const [source, value] = values[name]
      ? [`--${name}`, values[name]]
      : environment[variableOf(name)]
        ? [variableOf(name), environment[variableOf(name)] ?? '']
        : [name, file[name] ?? rows[name].initial]
    return check(name, source, value)
  }
  const level = textOf('log-level')
  return {
    server: textOf('server'),
    port: Number(textOf('port')),
    localAddress: textOf('local-address'),
    interface: textOf('interface'),
    logLevel: logLevels.find(each => each === level) ?? 'info',
    poweroffCommand: textOf('poweroff-command'),
    rebootCommand: textOf('reboot-command'),
    disks: textOf('disks') === 'yes',
    hello: textOf('hello') === 'yes',
    url: textOf('url'),
    trialSeconds: Number(textOf('trial-seconds')),
    root: textOf('root'),
  }
}

type Values = Record<string, string | undefined>

function parseArguments(args: string[]): Values {
  const texts = [...names, 'config'].map(name => [name, { type: 'string' }] as const)
  const flags = ['help', 'version'].map(name => [name, { type: 'boolean' }] as const)
  const { values } = parseArgs({ args, options: Object.fromEntries([...texts, ...flags]), allowPositionals: false })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function readOptionsFile(file: string | undefined): Values {
  if (file === undefined) return {}
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  if (!(content instanceof Object)) throw new Error(`${file}: expected an object of options`)
  const unknown = Object.keys(content).find(key => !names.some(name => name === key))
  if (unknown !== undefined) throw new Error(`${file}: expected one of ${names.join(', ')}, got ${unknown}`)
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, String(value)]))
}

function check(name: Name, source: string, value: string): string {
  const { accepts, expected }: OptionRow = rows[name]
  if (!accepts || accepts(value)) return value
  throw new Error(`${source}: expected ${expected}, got ${value === '' ? 'nothing' : value}`)
}
