// What computers do now, in the words of the API.
import type { Services } from 'fleet-host'
import { type State, statusOfAgent } from './_ogagent.ts'
import type { Context } from './_schemas.ts'

const words: Record<string, string> = {
  oglive: 'oglive',
  busy: 'busy',
  virtual: 'unknown',
  linux: 'linux',
  'linux-session': 'linux',
  windows: 'windows',
  'windows-session': 'windows',
}

/** By address, of connected and woken computers. */
export function statesOf(services: Services): Map<string, State> {
  const users = new Set(services.sessions.list().map(({ client }) => client))
  return new Map(
    services.fleet.clients().map(({ addr, state, status }) => {
      const word = status === undefined ? (state === 'WOL_SENT' ? 'wol_sent' : 'unknown') : (words[status] ?? 'unknown')
      return [addr, { status: word, ...(users.has(addr) && { loggedin: true as const }) }]
    }),
  )
}

/** Those that are off for the daemon may still have an agent of their own that answers. */
export async function readStates(context: Context, ips: readonly string[]): Promise<Map<string, State>> {
  const states = statesOf(context.services)
  const off = ips.filter(ip => !states.has(ip))
  const asked = await Promise.all(off.map(async ip => [ip, await statusOfAgent(context, ip)] as const))
  for (const [ip, state] of asked) states.set(ip, state ?? { status: 'off' })
  return states
}

/** Why a computer that is connected cannot be lent; undefined for one that is free. */
export function occupation({ fleet, sessions }: Services, ip: string): string | undefined {
  if (sessions.list().some(({ client }) => client === ip)) return 'somebody is logged in'
  if (fleet.running().some(({ addr }) => addr === ip)) return 'a command is running'
  const status = fleet.clients().find(({ addr }) => addr === ip)?.status
  return status === 'busy' ? 'it is busy' : undefined
}
