// Parses the command line of the simulated lab; prints one line and exits when it is wrong.
import { parseArgs } from 'node:util'

const usage =
  'npm run lab -- [--rooms 2] [--computers 24] [--real 0] [--hosts 0] [--rest 127.0.0.1:8888] [--agents 127.0.0.1:8889] [--logs 8890] [--failing-copies 0] [--images DIR] [--token …]'
const help = `${usage}

  --rooms N            rooms, of one center
  --computers N        computers in all rooms together; 0 with --real
  --real N             agents for Linux besides them, without records: they run the scripts that they are sent,
                       as the user nobody when this program is started by root, otherwise as its user
  --hosts N            starts N daemons of one fleet, with a private PostgreSQL, instead of using one that runs:
                       REST on the port of --rest and every tenth after it, agents likewise
  --rest HOST:PORT     REST port of the daemon
  --agents HOST:PORT   agent port of the daemon
  --logs PORT          port of the computers' console logs, for the daemon's option images.log.port
  --failing-copies N   of 100 copies of images, how many fail; on broken computers all fail
  --images DIR         where created images are written: the daemon's repository.directory
  --token TOKEN        API token; default: FLEET_API_TOKEN, or the one in data/api_token`
const maxComputers = 10_000
const maxReal = 500 // of which each takes 8 to 45 MiB of memory
const maxHosts = 9
/** Between the ports of two daemons. */
const portStep = 10
const maxPort = 65_535
const options = {
  rooms: { type: 'string', default: '2' },
  computers: { type: 'string', default: '24' },
  real: { type: 'string', default: '0' },
  hosts: { type: 'string', default: '0' },
  rest: { type: 'string', default: '127.0.0.1:8888' },
  agents: { type: 'string', default: '127.0.0.1:8889' },
  logs: { type: 'string', default: '8890' },
  'failing-copies': { type: 'string', default: '0' },
  images: { type: 'string' },
  token: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export type Endpoint = { host: string; port: number }
/** `real` are agents that are real programs, `hosts` the daemons to start: none to use the one at `rest`. */
export type Arguments = ReturnType<typeof readArguments>

export function readArguments(args: string[]) {
  try {
    const { token, images, ...values } = parseArgs({ args, options }).values
    if (values.help) {
      console.log(help)
      process.exit(0)
    }
    const real = parseCount('--real', values.real, 0, maxReal)
    const computers = parseCount('--computers', values.computers, real > 0 ? 0 : 1, maxComputers)
    const rooms = computers === 0 ? 0 : parseCount('--rooms', values.rooms, 1, computers)
    const rest = parseEndpoint('--rest', values.rest)
    const agents = parseEndpoint('--agents', values.agents)
    const hosts = Array.from({ length: parseCount('--hosts', values.hosts, 0, maxHosts) }, (_, index) => ({
      rest: { ...rest, port: rest.port + index * portStep },
      agents: { ...agents, port: agents.port + index * portStep },
    }))
    const logs = parseCount('--logs', values.logs, 1, maxPort)
    const failingCopies = parseCount('--failing-copies', values['failing-copies'], 0, 100)
    return { rooms, computers, real, rest, agents, hosts, logs, failingCopies, images, token }
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
