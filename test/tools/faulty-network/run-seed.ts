// One run: a new database, three hosts, faults from the seed while callers write down what they see, and the checks after it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../../harness/daemon-process.ts'
import { pollUntil } from '../../harness/poll.ts'
import { type PostgresServer, startPostgres } from '../../harness/postgres.ts'
import { token } from '../../harness/rest-call.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { nodeArguments } from '../runner/bundled-file.ts'
import { createChance } from '../virtual-world/chance.ts'
import { ask, connectedOn, type History, restPort, startCaller } from './callers.ts'
import { findViolations } from './checks.ts'
import { drawFaults } from './faults.ts'
import { agentAddresses, databaseAddress, hostAddresses, hostNames } from './network.ts'
import { initial, registers } from './registers.ts'

/** The least. */
const leaseSeconds = 3
const agentsPort = 8887
const callers = 8

/** Milliseconds. */
const [shortestFault, longestFault] = [200, 6000]
const longestQuiet = 1500

export async function runSeed(seed: number, phases: number): Promise<{ summary: string; violations: string[] }> {
  const chance = createChance(seed)
  const server = await startPostgres({ listen: databaseAddress })
  const folder = newFolder()
  const programs = hostNames.map((_, index) => startHost(index, folder, server))
  const choice = chance.fork()
  let host = 0
  const roaming = startRoamingAgents({
    addrs: agentAddresses,
    portOf() {
      host = choice.between(0, hostNames.length - 1)
      return agentsPort
    },
    hostOf: () => hostAddresses[host],
  })
  const history: History = {
    registers: new Map(registers.map(register => [register, []])),
    scripts: [],
    counts: { answered: 0, unknown: 0, refused: 0 },
  }
  try {
    await Promise.all(programs.map(program => program.waitFor(/agent port/)))
    await setUp()
    await pollUntil(async () => (await connectedOn(0)).length === agentAddresses.length)
    let isOver = false
    const calling = Array.from({ length: callers }, (_, index) =>
      startCaller(`caller${index + 1}`, chance.fork(), history, registers, () => isOver),
    )
    const faults = await breakLines(chance, phases)
    isOver = true
    await Promise.all(calling)
    const violations = await findViolations(history, roaming)
    const { answered, unknown, refused } = history.counts
    const summary = `${answered} calls answered, ${unknown} not, ${refused} refused; ${faults.length} faults`
    return { summary, violations: violations.length > 0 ? [...violations, ...faults, ...logsOf(programs)] : [] }
  } finally {
    await roaming.stop()
    await endPrograms()
    await server.stop()
    removeFolder(folder)
  }
}

function startHost(index: number, folder: string, server: PostgresServer): Program {
  const [name = '', ip = ''] = [hostNames[index], hostAddresses[index]]
  const own = join(folder, name)
  mkdirSync(own)
  return startProgram(own, {
    command: ['ip', 'netns', 'exec', name, process.execPath, ...nodeArguments('host/main.ts')],
    options: {
      agents: { ip, port: agentsPort, unknown: 10_000 },
      rest: { ip, port: restPort },
      store: { ...server.storeOptions('fleet'), host: databaseAddress, path: join(own, 'data') },
      repository: { directory: join(folder, 'images') },
      images: { log: { off: true } },
      cluster: { name, lease_seconds: leaseSeconds },
    },
    env: { FLEET_API_TOKEN: token },
  })
}

async function setUp(): Promise<void> {
  const add = async (route: string, payload: object) => {
    const { status, text } = await ask(0, route, payload)
    if (status !== 200) throw new Error(`${route}: ${status} ${text}`)
  }
  await add('POST /center/add', { name: initial })
  for (const name of ['Room 1', 'Room 2'])
    await add('POST /room/add', { name, netmask: '255.255.255.0', center: 1, location: initial, ntp: initial })
  await add('POST /group/add', { name: initial, clients: [] })
  for (const [index, ip] of agentAddresses.entries())
    await add('POST /client/add', { name: `pc-${index}`, ip, mac: `02000000000${index}`, room: 1 })
}

/** Resolves to the faults that were, a line each, when all lines work again. */
async function breakLines(chance: ReturnType<typeof createChance>, phases: number): Promise<string[]> {
  const began = performance.now()
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1)
  const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
  const lines: string[] = []
  for (let phase = 0; phase < phases; phase += 1) {
    await wait(chance.between(0, longestQuiet))
    const faults = drawFaults(chance)
    const ends = faults.map(({ begin }) => begin())
    const from = seconds()
    await wait(chance.between(shortestFault, longestFault))
    for (const end of ends) end()
    lines.push(...faults.map(({ name }) => `from ${from} to ${seconds()} s ${name}`))
  }
  return lines
}

const shownLines = 40
const logsOf = (programs: Program[]) =>
  programs.map((program, index) => {
    const lines = `${program.output()}${program.errors()}`.split('\n').slice(-shownLines)
    return `host ${hostNames[index]}:\n${lines.join('\n')}`
  })
