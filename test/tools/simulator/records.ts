// Adds the missing records of the simulated lab to the daemon: a center, its rooms, their computers.

import type { Call } from './api.ts'
import type { ComputerSpec, RoomSpec } from './computer-specs.ts'
import { list, text } from './fields.ts'

const centerName = 'Simulated lab'

/** Resolves with a summary for the user. Rejects with a SetupError when the daemon refuses a record. */
export async function addRecords(call: Call, rooms: RoomSpec[]): Promise<string> {
  const before = await scopes(call)
  if (!before) return 'GET /scopes exceeds limits.response: no records are added'
  if (!findByName(before, centerName)) {
    await add(call, 'POST /center/add', { name: centerName, comment: 'Computers that npm run lab simulates' })
  }
  const center = findByName((await scopes(call)) ?? [], centerName)
  for (const { name, netmask } of rooms.filter(room => !findByName(list(center, 'scope'), room.name))) {
    await add(call, 'POST /room/add', { name, netmask, center: Number(text(center, 'id')) })
  }
  const after = (await scopes(call)) ?? []
  const existing = new Set(computersOf(after).map(computer => text(computer, 'ip')))
  const roomScopes = list(findByName(after, centerName), 'scope')
  const missing = rooms.flatMap(({ name, computerSpecs }) => {
    const room = Number(text(findByName(roomScopes, name), 'id'))
    return computerSpecs.filter(spec => !existing.has(spec.ip)).map(spec => ({ spec, room }))
  })
  await Promise.all(missing.map(({ spec, room }) => addComputer(call, spec, room)))
  return `${missing.length} computers added, ${rooms.flatMap(room => room.computerSpecs).length - missing.length} exist already`
}

async function scopes(call: Call): Promise<unknown[] | undefined> {
  const { status, body } = await call('GET /scopes')
  if (status === 401)
    throw new SetupError('the daemon refuses the token (from --token, FLEET_API_TOKEN or ./data/api_token)')
  if (status === 400 || status === 500) return undefined
  if (status !== 200) throw new SetupError(`GET /scopes: status ${status}`)
  return list(body, 'scope')
}

function addComputer(call: Call, { name, ip, mac }: ComputerSpec, room: number): Promise<void> {
  return add(call, 'POST /client/add', { name, ip, mac, room })
}

async function add(call: Call, route: string, payload: object): Promise<void> {
  const { status } = await call(route, payload)
  if (status !== 200) throw new SetupError(`${route} ${JSON.stringify(payload)}: status ${status}`)
}

const findByName = (nodes: unknown[], name: string) => nodes.find(node => text(node, 'name') === name)

function computersOf(nodes: unknown[]): unknown[] {
  return nodes.flatMap(node => (text(node, 'type') === 'computer' ? [node] : computersOf(list(node, 'scope'))))
}

/** The daemon responded with an error: retrying does not help. */
export class SetupError extends Error {}
