// Gives the daemon the lab's records: a center with its rooms and computers, skipping what exists.

import type { Room, Seat } from './address-plan.ts'
import type { Call } from './api.ts'
import { list, text } from './fields.ts'

const centerName = 'Simulated lab'

/** Resolves with what to tell the user; rejects when the daemon is away or refuses what a lab cannot do without. */
export async function addRecords(call: Call, rooms: Room[]): Promise<string> {
  const before = await scopes(call)
  if (!before) return 'GET /scopes is refused as too long: records are left as they are (see limits.response)'
  if (!named(before, centerName)) {
    await add(call, 'POST /center/add', { name: centerName, comment: 'Computers that npm run lab pretends to be' })
  }
  const center = named((await scopes(call)) ?? [], centerName)
  for (const { name, netmask } of rooms.filter(room => !named(list(center, 'scope'), room.name))) {
    await add(call, 'POST /room/add', { name, netmask, center: Number(text(center, 'id')) })
  }
  const after = (await scopes(call)) ?? []
  const known = new Set(leaves(after).map(computer => text(computer, 'ip')))
  const roomScopes = list(named(after, centerName), 'scope')
  const missing = rooms.flatMap(({ name, seats }) => {
    const room = Number(text(named(roomScopes, name), 'id'))
    return seats.filter(seat => !known.has(seat.ip)).map(seat => ({ seat, room }))
  })
  await Promise.all(missing.map(({ seat, room }) => addComputer(call, seat, room)))
  return `${missing.length} computers added, ${rooms.flatMap(room => room.seats).length - missing.length} were there`
}

async function scopes(call: Call): Promise<unknown[] | undefined> {
  const { status, body } = await call('GET /scopes')
  if (status === 401) throw new Refusal('the daemon refuses the token; --token, FLEET_API_TOKEN or ./data/api_token')
  if (status === 400 || status === 500) return undefined
  if (status !== 200) throw new Refusal(`GET /scopes: status ${status}`)
  return list(body, 'scope')
}

function addComputer(call: Call, { name, ip, mac }: Seat, room: number): Promise<void> {
  return add(call, 'POST /client/add', { name, ip, mac, room })
}

async function add(call: Call, route: string, payload: object): Promise<void> {
  const { status } = await call(route, payload)
  if (status !== 200) throw new Refusal(`${route} ${JSON.stringify(payload)}: status ${status}`)
}

const named = (nodes: unknown[], name: string) => nodes.find(node => text(node, 'name') === name)

function leaves(nodes: unknown[]): unknown[] {
  return nodes.flatMap(node => (text(node, 'type') === 'computer' ? [node] : leaves(list(node, 'scope'))))
}

/** The daemon is there and will not have it: trying again is no use. */
export class Refusal extends Error {}
