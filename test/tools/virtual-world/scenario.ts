// What happens in a simulated run: calls and accidents, each at its time, all drawn from the seed before it begins.
import type { Chance } from './chance.ts'
import { rooms } from './limits.ts'

/** Hosts and computers by their index. `expires`: seconds, 0 for what does not wait; `minutes`: from then until it is due. */
export type Call =
  | { type: 'restore'; host: number; computers: number[]; expires: number }
  /** `isLimited`: by a caller who is limited to the first room. */
  | { type: 'run'; host: number; computers: number[]; expires: number; isLimited: boolean }
  | { type: 'move'; host: number; computers: number[]; room: number }
  | { type: 'plan'; host: number; computers: number[]; minutes: number }
  | { type: 'poweroff' | 'reboot'; host: number; computers: number[] }
  | { type: 'cancel'; host: number; nth: number }
  /** On that host and the next one, at the same time. */
  | { type: 'reserve'; host: number; next: number }

/** `lasts` in milliseconds. What leaves and what is lost does not come back. */
export type Accident =
  | { type: 'cut' | 'leave'; computer: number }
  | { type: 'lose-power' | 'silence'; computer: number; lasts: number }
  | { type: 'kill' | 'stop' | 'pause' | 'no-database'; host: number; lasts: number }
  | { type: 'failing-database' | 'lost-replies'; lasts: number }
  | { type: 'lose-host'; host: number }

/** `at` in milliseconds. */
export type Step = { at: number } & (Call | Accident)

export interface Scenario {
  hosts: number
  computers: number
  /** So many copy images at once. */
  slots: number
  /** Milliseconds until everything is mended. */
  lasts: number
  steps: Step[]
}

/** Milliseconds between two steps, on average: dense accidents, and hours in which little happens. */
const paces = [1000, 2500, 20_000, 60_000]
const [fewestSteps, mostSteps] = [20, 110]

/** What they wait for comes in time when there are more slots for more of them. */
const mostComputers = 12

/** Milliseconds between steps that come at almost the same time, and how often steps do. */
const burst = 200
const burstShare = 0.3

/** What is not given is drawn. */
export function drawScenario(chance: Chance, size: Partial<Pick<Scenario, 'hosts' | 'computers'>> = {}): Scenario {
  const drawn = { hosts: chance.isTrue(0.35) ? 1 : 3, computers: chance.between(3, mostComputers) }
  const { hosts = drawn.hosts, computers = drawn.computers } = size
  const pace = chance.pick(paces)
  const lasts = pace * chance.between(fewestSteps, mostSteps)
  const steps: Step[] = []
  const pause = () => (chance.isTrue(burstShare) ? chance.between(0, burst) : chance.between(1, 3 * pace))
  for (let at = 20_000; at < lasts; at += pause()) steps.push(drawStep(chance, at, hosts, computers))
  return { hosts, computers, slots: chance.between(1, 3) * Math.ceil(computers / mostComputers), lasts, steps }
}

function drawStep(chance: Chance, at: number, hosts: number, computers: number): Step {
  const host = chance.between(0, hosts - 1)
  const computer = chance.between(0, computers - 1)
  const some = Array.from({ length: computers }, (_, index) => index).filter(() => chance.isTrue(0.4))
  const chosen = some.length > 0 ? some : [computer]
  const lasts = chance.pick([chance.between(500, 20_000), chance.between(20_000, 200_000)])
  const expires = chance.pick([0, 10, 60, 120])
  const kind = chance.next()
  if (kind < 0.28) return { at, type: 'run', host, computers: chosen, expires, isLimited: chance.isTrue(0.25) }
  if (kind < 0.36) return { at, type: 'restore', host, computers: chosen, expires: 10 * expires }
  if (kind < 0.4) return { at, type: 'plan', host, computers: chosen, minutes: chance.between(1, 5) }
  if (kind < 0.5) return { at, type: chance.pick(['poweroff', 'reboot'] as const), host, computers: chosen }
  if (kind < 0.53) return { at, type: 'reserve', host, next: (host + 1) % hosts }
  if (kind < 0.55) return { at, type: 'move', host, computers: chosen, room: chance.pick(rooms) }
  if (kind < 0.58) return { at, type: 'cancel', host, nth: chance.between(1, 3) }
  if (kind < 0.65) return { at, type: chance.pick(['cut', 'cut', 'cut', 'leave'] as const), computer }
  if (kind < 0.77) return { at, type: chance.pick(['lose-power', 'silence'] as const), computer, lasts }
  if (kind < 0.9)
    return { at, type: chance.pick(['kill', 'kill', 'stop', 'pause', 'no-database'] as const), host, lasts }
  // Of three hosts two stay.
  if (kind < 0.91 && hosts > 1) return { at, type: 'lose-host', host: hosts - 1 }
  return { at, type: chance.pick(['failing-database', 'lost-replies'] as const), lasts }
}
