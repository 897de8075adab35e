// Fills a running daemon with a simulated lab: its records over the REST API, its computers over the agents' port.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { planRooms } from './address-plan.ts'
import { createApi } from './api.ts'
import { readArguments } from './arguments.ts'
import { list, text } from './fields.ts'
import { addRecords, Refusal } from './records.ts'
import { createScreen } from './screen.ts'
import { Computer } from './simulated-computer.ts'

const tokenFile = './data/api_token'
const mostTries = 600 // a second apart: then the daemon will not come any more
const bootSpread = 2 // ms between two first boots, on average; at least 3 s for all
const pollTime = 1_000 // ms

const { rooms, computers, rest, agents, token } = readArguments(process.argv.slice(2))
const stopping = new AbortController()
const api = createApi(rest.host, rest.port, () => token ?? process.env.FLEET_API_TOKEN ?? readToken())
const shown = planRooms(rooms, computers).map(room => {
  const line = { ...agents, trouble: (what: string) => screen.say(what) }
  return { ...room, computers: room.seats.map(seat => new Computer(seat, line)) }
})
const all = shown.flatMap(room => room.computers)
const screen = createScreen(shown, process.stdout)

// A daemon that has just been started for the first time may not have written it yet: no token is a wrong one.
function readToken(): string {
  try {
    return readFileSync(tokenFile, 'utf8').trim()
  } catch {
    return ''
  }
}

async function register(): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    try {
      return screen.say(await addRecords(api.call, shown))
    } catch (error) {
      if (error instanceof Refusal || stopping.signal.aborted) throw error
      screen.say(`waiting for the daemon at ${rest.host}:${rest.port}`)
    }
    await wait(pollTime, undefined, stopping)
  }
  throw new Refusal(`nobody answers at ${rest.host}:${rest.port}`)
}

// Magic packets need a privileged port; who is being woken also shows in the list of clients.
async function wake(): Promise<void> {
  const off = new Map(all.filter(({ state }) => state === 'off').map(computer => [computer.seat.ip, computer]))
  if (off.size === 0) return
  const { status, body } = await api.call('GET /clients')
  if (status !== 200) screen.say(`GET /clients: status ${status}; wake-ups go unnoticed (see limits.response)`)
  for (const client of list(body, 'clients')) {
    if (text(client, 'state') === 'WOL_SENT') off.get(text(client, 'addr'))?.boot()
  }
}

async function run(): Promise<void> {
  await register()
  screen.start()
  const spread = Math.max(3_000, all.length * bootSpread)
  for (const computer of all) computer.boot(Math.random() * spread)
  for (;;) {
    await wait(pollTime, undefined, stopping)
    await wake().catch(() => {}) // the daemon is away; the lines show it
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

try {
  await run()
} catch (error) {
  if (!stopping.signal.aborted) {
    screen.say(error instanceof Refusal ? error.message : String(error))
    process.exitCode = 1
  }
}
for (const computer of all) computer.leave()
screen.close()
api.close()
