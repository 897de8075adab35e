// Parses the command line of the simulated lab; prints one line and exits when it is wrong.
import { parseArgs } from 'node:util'

const usage =
  'npm run lab -- [--rooms 2] [--computers 24] [--real 0] [--rest 127.0.0.1:8888] [--agents 127.0.0.1:8889] [--token …]'
const help = `${usage}

  --rooms N            rooms, of one center
  --computers N        computers in all rooms together; 0 with --real
  --real N             agents for Linux besides them, without records: they run the scripts that they are sent,
                       as the user nobody when this program is started by root, otherwise as its user
  --rest HOST:PORT     REST port of the daemon
  --agents HOST:PORT   agent port of the daemon
  --token TOKEN        API token; default: FLEET_API_TOKEN, or the one in data/api_token`
const maxComputers = 10_000
const maxReal = 500 // of which each takes 8 to 45 MiB of memory
const maxPort = 65_535
const options = {
  rooms: { type: 'string', default: '2' },
  computers: { type: 'string', default: '24' },
  real: { type: 'string', default: '0' },
  rest: { type: 'string', default: '127.0.0.1:8888' },
  agents: { type: 'string', default: '127.0.0.1:8889' },
  token: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export type Endpoint = { host: string; port: number }
export type Arguments = {
  rooms: number
  computers: number
  /** Agents that are real programs. */
  real: number
  rest: Endpoint
  agents: Endpoint
  token: string | undefined
}

export function readArguments(args: string[]): Arguments {
  try {
    const { token, ...values } = parseArgs({ args, options }).values
    if (values.help) {
      console.log(help)
      process.exit(0)
    }
    const real = parseCount('--real', values.real, 0, maxReal)
    const computers = parseCount('--computers', values.computers, real > 0 ? 0 : 1, maxComputers)
    const rooms = computers === 0 ? 0 : parseCount('--rooms', values.rooms, 1, computers)
    return {
      rooms,
      computers,
      real,
      rest: parseEndpoint('--rest', values.rest),
      agents: parseEndpoint('--agents', values.agents),
      token,
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(1)
  }
}

function parseCount(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= min && number <= max)) throw new Error(`${name}: expected ${min} to ${max}, got ${value}`)
  return number
}

function parseEndpoint(name: string, value: string): Endpoint {
  const [, host, digits] = /^([^:\s]+):(\d{1,5})$/.exec(value) ?? []
  const port = Number(digits)
  if (host && port > 0 && port <= maxPort) return { host, port }
  throw new Error(`${name}: expected HOST:PORT, got ${value}`)
}
