// What an administrator does next when the store has no rooms yet: the lines that the start of a new daemon logs.
import { existsSync } from 'node:fs'
import type { Store } from '../../stores/store.ts'
import { isLoopback } from '../system/networks.ts'
import type { Options } from './options.ts'

export interface FirstStepsDeps {
  store: { rooms: Pick<Store['rooms'], 'list'> }
  /** A path that logs in, once and for that many seconds. */
  loginLink(): { path: string; seconds: number }
  rest: Pick<Options['rest'], 'ip' | 'tls'>
  port: number
}

/** Of a listener that loopback reaches, too. */
const anyAddress = ['0.0.0.0', '::']

/** None when there is a room. `isSecret`: nobody else reads the lines, so that one of them may log in. */
export async function firstSteps(deps: FirstStepsDeps, isSecret: boolean): Promise<string[]> {
  if ((await deps.store.rooms.list()).length > 0) return []
  // A clone has this file; where a package is installed, the program is in the PATH.
  const fleet = existsSync('package-lock.json') ? 'npx fleet' : 'fleet'
  return [
    'this daemon has no rooms yet; the next three steps:',
    `  1. log in: ${loginStep(deps, fleet, isSecret)}`,
    `  2. add a room: ${fleet} center add "My school" && ${fleet} room add "Room 1" --netmask 255.255.255.0`,
    `  3. install the agent on the first computer: ${fleet} pending prints how (docs/first-computer.md)`,
  ]
}

function loginStep({ loginLink, rest: { ip, tls }, port }: FirstStepsDeps, fleet: string, isSecret: boolean): string {
  const hasLoopback = isLoopback(ip) || anyAddress.includes(ip)
  if (!isSecret || !hasLoopback) return `${fleet} console prints a link, or ${fleet} token the token`
  const origin = `${tls ? 'https' : 'http'}://${isLoopback(ip) ? ip : '127.0.0.1'}:${port}`
  const { path, seconds } = loginLink()
  return `${origin}${path} (once, within ${seconds} s; ${fleet} console prints another one)`
}
