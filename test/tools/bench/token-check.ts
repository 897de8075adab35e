// Measures what a named token costs compared with the API token: processor time of `GET /client/info` with each, in turns.
//
//   node --import tsx test/tools/bench/token-check.ts [--rounds 10] [--requests 4000]
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { token as apiToken } from '../../harness/test-host.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { cpuOf } from './processes/process-usage.ts'

export interface TokenCosts {
  /** Microseconds of processor time of the daemon for one request, the median of the rounds. */
  admin: number
  named: number
  /** The median of the ratios of neighbouring rounds. */
  ratio: number
}

interface Load {
  rounds: number
  requests: number
}

const connections = 4
/** Rounds that are not counted, until the code is compiled. */
const warmUpRounds = 3

export async function measureTokens({ rounds, requests }: Load): Promise<TokenCosts> {
  const daemon = await startDaemon(10)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    const named = await addToken(daemon)
    const port = await daemon.program.port()
    const costOf = async (token: string) => {
      const before = await cpuOf(daemon.program.pid)
      const read = async () => {
        for (let count = 0; count < requests / connections; count += 1) {
          await readInfo(agent, port, token, daemon.addrs[0] ?? '')
        }
      }
      await Promise.all(Array.from({ length: connections }, read))
      return (1000 * ((await cpuOf(daemon.program.pid)) - before)) / requests
    }
    const costs: Pick<TokenCosts, 'admin' | 'named'>[] = []
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      // Which one is first alternates too: the memory that the first leaves is collected in the time of the second.
      const isNamedFirst = round % 2 === 0
      const first = await costOf(isNamedFirst ? named : apiToken)
      const second = await costOf(isNamedFirst ? apiToken : named)
      if (round >= 0) costs.push(isNamedFirst ? { named: first, admin: second } : { admin: first, named: second })
    }
    return {
      admin: median(costs.map(({ admin }) => admin)),
      named: median(costs.map(each => each.named)),
      ratio: median(costs.map(each => each.named / each.admin)),
    }
  } finally {
    agent.destroy()
    await daemon.stop()
  }
}

async function addToken({ program }: Daemon): Promise<string> {
  const { status, json } = await program.call(apiToken, 'POST /token/add', { name: 'bench', role: 'read' })
  if (status !== 200) throw new Error(`POST /token/add: expected 200, got ${status}`)
  return json.token
}

function readInfo(agent: Agent, port: number, token: string, addr: string): Promise<void> {
  const body = JSON.stringify({ client: [addr] })
  const headers = { Authorization: token, 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method: 'GET', path: '/client/info', agent, headers }
    const outgoing = request(options, response => {
      if (response.statusCode !== 200) reject(new Error(`GET /client/info: expected 200, got ${response.statusCode}`))
      response.resume().on('end', resolve).on('error', reject)
    })
    outgoing.on('error', reject).end(body)
  })
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '10' }, requests: { type: 'string', default: '4000' } },
  })
  const load = { rounds: Number(values.rounds), requests: Number(values.requests) }
  const { admin, named, ratio } = await measureTokens(load)
  console.log(
    `GET /client/info: ${admin.toFixed(1)} µs of CPU with the API token, ${named.toFixed(1)} µs with a named token, ratio ${ratio.toFixed(3)}`,
  )
}

if (process.argv[1] === import.meta.filename) await main()
