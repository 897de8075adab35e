// Parses the command line of the simulated lab; prints one line and exits when it is wrong.
import { parseArgs } from 'node:util'

const usage =
  'npm run lab -- [--rooms 2] [--computers 24] [--rest 127.0.0.1:8888] [--agents 127.0.0.1:8889] [--token …]'
const help = `${usage}

  --rooms N            rooms, of one center
  --computers N        computers in all rooms together
  --rest HOST:PORT     REST port of the daemon
  --agents HOST:PORT   agent port of the daemon
  --token TOKEN        API token; default: FLEET_API_TOKEN, or the one in data/api_token`
const maxComputers = 10_000
const maxPort = 65_535
const options = {
  rooms: { type: 'string', default: '2' },
  computers: { type: 'string', default: '24' },
  rest: { type: 'string', default: '127.0.0.1:8888' },
  agents: { type: 'string', default: '127.0.0.1:8889' },
  token: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export type Endpoint = { host: string; port: number }
export type Arguments = {
  rooms: number
  computers: number
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
    const computers = parseCount('--computers', values.computers, maxComputers)
    const rooms = parseCount('--rooms', values.rooms, computers)
    return {
      rooms,
      computers,
      rest: parseEndpoint('--rest', values.rest),
      agents: parseEndpoint('--agents', values.agents),
      token,
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(1)
  }
}

function parseCount(name: string, value: string, max: number): number {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > max) throw new Error(`${name}: expected 1 to ${max}, got ${value}`)
  return number
}

function parseEndpoint(name: string, value: string): Endpoint {
  const [, host, digits] = /^([^:\s]+):(\d{1,5})$/.exec(value) ?? []
  const port = Number(digits)
  if (host && port > 0 && port <= maxPort) return { host, port }
  throw new Error(`${name}: expected HOST:PORT, got ${value}`)
}
