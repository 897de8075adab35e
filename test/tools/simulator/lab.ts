// The rooms and computers of a simulated lab: their names and addresses, their records, and when they start.
import type { Call } from './api.ts'
import type { ComputerSpec } from './computer-data.ts'
import { type AgentPort, Computer } from './simulated-computer.ts'

export interface Room {
  name: string
  computers: Computer[]
}

const perNetwork = 250 // computers in one /24 network
const firstNetwork = 10 // second byte of the first room's addresses

/** All computers of the first room run the live system. The other rooms are in use. */
const started: ComputerSpec['starts'][] = ['oglive', 'linux', 'windows', 'linux', 'oglive', 'windows']
const brokenOne = 4 // of ten

/** Computer c of room r has the address 127.10.r.c. A room of more than 250 computers uses several such networks. */
export function createRooms(rooms: number, computers: number, agentPort: AgentPort): Room[] {
  const networks = Math.ceil(computers / rooms / perNetwork)
  return Array.from({ length: rooms }, (_, room) => {
    const from = Math.floor((room * computers) / rooms)
    const length = Math.floor(((room + 1) * computers) / rooms) - from
    const create = (computer: number) =>
      new Computer(createSpec(room, computer, 1 + room * networks, from + computer + 1), agentPort)
    return { name: `Room ${room + 1}`, computers: Array.from({ length }, (_, computer) => create(computer)) }
  })
}

function createSpec(room: number, computer: number, firstOfRoom: number, number: number): ComputerSpec {
  const network = firstOfRoom + Math.floor(computer / perNetwork)
  const bytes = [127, firstNetwork + (network >> 8), network & 255, 1 + (computer % perNetwork)]
  const hex = bytes.map(byte => byte.toString(16).padStart(2, '0'))
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    name: `lab-r${two(room + 1)}-c${two(computer + 1)}`,
    ip: bytes.join('.'),
    mac: `0200${hex.join('')}`,
    number,
    starts: room === 0 ? 'oglive' : started[computer % started.length],
    isBroken: room > 0 && computer % 10 === brokenOne,
  }
}

const bootSpread = 2 // ms between two first boots, on average
const minSpread = 3_000 // ms

/** Those that run when the lab starts. */
export function bootAll(computers: readonly Computer[]): void {
  const spread = Math.max(minSpread, computers.length * bootSpread)
  for (const computer of computers) {
    const { starts } = computer.spec
    if (starts) computer.boot(Math.random() * spread, starts)
  }
}

/** A computer that a magic packet starts. */
interface WakeableComputer {
  readonly spec: { readonly ip: string }
  readonly state: string
  boot(): void
}

/**
 * Boots those that the daemon is waking, by its list of clients: receiving magic packets needs a privileged port. Resolves
 * to the status of the response.
 */
export async function bootWoken(call: Call, computers: readonly WakeableComputer[]): Promise<number> {
  const off = new Map(computers.filter(({ state }) => state === 'off').map(computer => [computer.spec.ip, computer]))
  if (off.size === 0) return 200
  const { status, json } = await call('GET /clients')
  for (const { state, addr } of json?.clients ?? []) if (state === 'WOL_SENT') off.get(addr)?.boot()
  return status
}

const centerName = 'Simulated lab'
const perImport = 1000 // computers

interface Scope {
  name: string
  id: number
  ip?: string
  scope: Scope[]
}

/**
 * Adds the missing records: a center, its rooms, their computers. Resolves with a summary for the user. Rejects with a
 * SetupError when the daemon refuses a record.
 */
export async function addRecords(call: Call, rooms: readonly Room[]): Promise<string> {
  const before = await readScopes(call)
  if (!before) return 'GET /scopes exceeds limits.response: no records are added'
  const add = async (route: string, payload: object) => {
    const { status } = await call(route, payload)
    if (status !== 200) throw new SetupError(`${route} ${JSON.stringify(payload).slice(0, 200)}: status ${status}`)
  }
  const findCenter = (scopes: Scope[] = []) => scopes.find(({ name }) => name === centerName)
  if (!findCenter(before)) {
    await add('POST /center/add', { name: centerName, comment: 'Computers that npm run lab simulates' })
  }
  const center = findCenter(await readScopes(call))
  for (const { name } of rooms.filter(room => !center?.scope.some(each => each.name === room.name))) {
    await add('POST /room/add', { name, netmask: '255.255.255.0', center: center?.id })
  }
  const after = (await readScopes(call)) ?? []
  const existing = new Set(after.flatMap(each => each.scope.flatMap(room => room.scope.map(({ ip }) => ip))))
  const ids = new Map(findCenter(after)?.scope.map(({ name, id }) => [name, id]))
  const rows = rooms.flatMap(room =>
    room.computers
      .filter(({ spec }) => !existing.has(spec.ip))
      .map(({ spec: { name, ip, mac } }) => `${name},${ip},${mac},${ids.get(room.name)}\n`),
  )
  for (let from = 0; from < rows.length; from += perImport) {
    const text = `name,ip,mac,room\n${rows.slice(from, from + perImport).join('')}`
    await add('POST /client/import', { format: 'csv', text })
  }
  const count = rooms.reduce((sum, room) => sum + room.computers.length, 0)
  return `${rows.length} computers added, ${count - rows.length} exist already`
}

async function readScopes(call: Call): Promise<Scope[] | undefined> {
  const { status, json } = await call('GET /scopes')
  if (status === 401)
    throw new SetupError('the daemon refuses the token (from --token, FLEET_API_TOKEN or ./data/api_token)')
  if (status === 400 || status === 500) return undefined
  if (status !== 200) throw new SetupError(`GET /scopes: status ${status}`)
  return json.scope
}

/** The daemon responded with an error: retrying does not help. */
export class SetupError extends Error {}
