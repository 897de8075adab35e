// Reads the lab's command line; what is wrong with it is one line, and the end.
import { parseArgs } from 'node:util'

const usage =
  'npm run lab -- [--rooms 2] [--computers 24] [--rest 127.0.0.1:8888] [--agents 127.0.0.1:8889] [--token …]'
const help = `${usage}

  --rooms N            rooms, in one center
  --computers N        computers in all of them together
  --rest HOST:PORT     where the daemon listens for callers
  --agents HOST:PORT   where it listens for agents
  --token TOKEN        otherwise FLEET_API_TOKEN, otherwise the one in data/api_token`
const mostComputers = 10_000
const mostPort = 65_535
const options = {
  rooms: { type: 'string', default: '2' },
  computers: { type: 'string', default: '24' },
  rest: { type: 'string', default: '127.0.0.1:8888' },
  agents: { type: 'string', default: '127.0.0.1:8889' },
  token: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

export type Place = { host: string; port: number }
export type Arguments = { rooms: number; computers: number; rest: Place; agents: Place; token: string | undefined }

export function readArguments(args: string[]): Arguments {
  try {
    const { token, ...given } = parseArgs({ args, options }).values
    if (given.help) {
      console.log(help)
      process.exit(0)
    }
    const computers = count('--computers', given.computers, mostComputers)
    const rooms = count('--rooms', given.rooms, computers)
    return { rooms, computers, rest: place('--rest', given.rest), agents: place('--agents', given.agents), token }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(1)
  }
}

function count(name: string, given: string, most: number): number {
  const number = /^\d{1,5}$/.test(given) ? Number(given) : 0
  if (number < 1 || number > most) throw new Error(`${name}: a number from 1 to ${most} needed, got ${given}`)
  return number
}

function place(name: string, given: string): Place {
  const [, host, digits] = /^([^:\s]+):(\d{1,5})$/.exec(given) ?? []
  const port = Number(digits)
  if (host && port > 0 && port <= mostPort) return { host, port }
  throw new Error(`${name}: expected 127.0.0.1:8888, got ${given}`)
}
