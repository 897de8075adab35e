// The simulated computers of a lab, by rooms: they start together, and start again when the daemon wakes them.
import type { Call } from './api.ts'
import { createRoomSpecs } from './computer-specs.ts'
import { list, text } from './fields.ts'
import { type AgentPort, Computer } from './simulated-computer.ts'

const bootSpread = 2 // ms between two first boots, on average
const minSpread = 3_000 // ms

/** A computer that a magic packet starts. */
export interface WakeableComputer {
  readonly spec: { readonly ip: string }
  readonly state: string
  boot(): void
}

export function createRooms(rooms: number, computers: number, agentPort: AgentPort) {
  return createRoomSpecs(rooms, computers).map(room => ({
    ...room,
    computers: room.computerSpecs.map(spec => new Computer(spec, agentPort)),
  }))
}

/** Those that run when the lab starts. */
export function bootAll(computers: readonly Computer[]): void {
  const spread = Math.max(minSpread, computers.length * bootSpread)
  for (const computer of computers) {
    const { starts } = computer.spec
    if (starts) computer.boot(Math.random() * spread, starts)
  }
}

/**
 * Boots those that the daemon is waking, by its list of clients: receiving magic packets needs a privileged port. Resolves
 * to the status of the response.
 */
export async function bootWoken(call: Call, computers: readonly WakeableComputer[]): Promise<number> {
  const off = new Map(computers.filter(({ state }) => state === 'off').map(computer => [computer.spec.ip, computer]))
  if (off.size === 0) return 200
  const { status, body } = await call('GET /clients')
  for (const client of list(body, 'clients')) {
    if (text(client, 'state') === 'WOL_SENT') off.get(text(client, 'addr'))?.boot()
  }
  return status
}
