// Simulates a lab for a running daemon: adds its records over the REST API and connects its agents.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi } from './api.ts'
import { readArguments } from './arguments.ts'
import { openLogPort } from './images.ts'
import { addRecords, bootAll, bootWoken, createRooms, SetupError } from './lab.ts'
import { createRealAgents } from './real-agents.ts'
import { createScreen } from './screen.ts'
import { startDaemons } from './several-daemons.ts'

const tokenFile = './data/api_token'
const maxTries = 600 // one per second, until the daemon is given up
const pollTime = 1_000 // ms

const { rooms, computers, real, rest, agents, hosts, logs, failingCopies, images, token } = readArguments(
  process.argv.slice(2),
)
/** Daemons of the lab's own share the token of the command line, or one that is printed. */
const hostsToken = token ?? process.env.FLEET_API_TOKEN ?? randomBytes(16).toString('hex')
const stopping = new AbortController()
const tokenOf = () => (hosts.length > 0 ? hostsToken : (token ?? process.env.FLEET_API_TOKEN ?? readToken()))
const api = createApi(rest.host, rest.port, tokenOf)
const hostApis = hosts.map(host => createApi(host.rest.host, host.rest.port, tokenOf))
/** Which host holds how many clients, by a host that responds. */
let holders: string[] = []
const roomViews = createRooms(rooms, computers, {
  daemons: hosts.length > 0 ? hosts.map(each => each.agents) : [agents],
  failingCopies,
  images,
  onError: text => screen.print(text),
})
const all = roomViews.flatMap(room => room.computers)
const realAgents = await createRealAgents(real, agents, text => screen.print(text))
const realViews = real > 0 ? [{ name: 'Real agents', computers: realAgents.list }] : []
const screen = createScreen([...roomViews, ...realViews], process.stdout, () => holders)

// Without the file the token is empty: the daemon refuses it, and the lab prints where tokens come from.
function readToken(): string {
  try {
    return readFileSync(tokenFile, 'utf8').trim()
  } catch {
    return ''
  }
}

async function register(): Promise<void> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      return screen.print(await addRecords(api, roomViews))
    } catch (error) {
      if (error instanceof SetupError || stopping.signal.aborted) throw error
      screen.print(`waiting for the daemon at ${rest.host}:${rest.port}`)
    }
    await wait(pollTime, undefined, stopping)
  }
  throw new SetupError(`no response from ${rest.host}:${rest.port}`)
}

async function wake(): Promise<void> {
  const status = await bootWoken(api, [...all, ...realAgents.list])
  if (status !== 200) screen.print(`GET /clients: status ${status}; wake-ups are not detected (see limits.response)`)
}

interface Host {
  name: string
  agents: number
}

async function readHolders(): Promise<void> {
  for (const call of hostApis) {
    const { json } = await call('GET /hosts').catch(() => ({ json: undefined }))
    const lines = json?.hosts.map(({ name, agents }: Host) => `host ${name}  clients ${agents}`)
    if (lines) holders = lines
    if (lines) return
  }
}

async function run(): Promise<void> {
  if (computers > 0) await register()
  screen.start()
  bootAll(all)
  for (const agent of realAgents.list) agent.boot(0)
  for (;;) {
    await wait(pollTime, undefined, stopping)
    await readHolders()
    await wake().catch(() => {}) // the daemon is down; the screen shows the agents as disconnected
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())

const endDaemons = await startDaemons(hosts, hostsToken, line => screen.print(line)).catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
if (hosts.length > 0) screen.print(`API token: ${hostsToken}`)
const logPort = await openLogPort(logs, all).catch(error => {
  screen.print(`port ${logs}: ${error.code ?? error}: the logs of the computers cannot be read`)
})
try {
  await run()
} catch (error) {
  if (!stopping.signal.aborted) {
    screen.print(error instanceof SetupError ? error.message : String(error))
    process.exitCode = 1
  }
}
for (const computer of all) computer.powerOff()
await realAgents.end()
await endDaemons()
logPort?.close()
screen.close()
