// What happens in a simulated run: calls and accidents, each at its time, all drawn from the seed before it begins.
import type { Chance } from './chance.ts'

/** `at` and `lasts` in milliseconds; hosts and computers by their index. */
export type Step = { at: number } & (
  | { type: 'run'; host: number; computers: number[]; waits: boolean }
  | { type: 'poweroff' | 'reboot'; host: number; computers: number[] }
  | { type: 'cancel'; host: number; nth: number }
  | { type: 'cut'; computer: number }
  | { type: 'lose-power' | 'silence'; computer: number; lasts: number }
  | { type: 'kill' | 'stop' | 'pause' | 'no-database'; host: number; lasts: number }
  | { type: 'failing-database' | 'lost-replies'; lasts: number }
)

export interface Scenario {
  hosts: number
  computers: number
  /** Milliseconds until everything is mended. */
  lasts: number
  steps: Step[]
}

/** Milliseconds between two steps, on average. */
const pace = 2500

export function drawScenario(chance: Chance): Scenario {
  const hosts = chance.isTrue(0.35) ? 1 : 3
  const computers = chance.between(3, 12)
  const lasts = chance.between(60_000, 300_000)
  const steps: Step[] = []
  for (let at = 20_000; at < lasts; at += chance.between(1, 2 * pace))
    steps.push(drawStep(chance, at, hosts, computers))
  return { hosts, computers, lasts, steps }
}

function drawStep(chance: Chance, at: number, hosts: number, computers: number): Step {
  const host = chance.between(0, hosts - 1)
  const computer = chance.between(0, computers - 1)
  const some = Array.from({ length: computers }, (_, index) => index).filter(() => chance.isTrue(0.4))
  const chosen = some.length > 0 ? some : [computer]
  const lasts = chance.between(500, 20_000)
  const kind = chance.next()
  if (kind < 0.5) return { at, type: 'run', host, computers: chosen, waits: chance.isTrue(0.7) }
  if (kind < 0.55) return { at, type: chance.pick(['poweroff', 'reboot'] as const), host, computers: chosen }
  if (kind < 0.63) return { at, type: 'cancel', host, nth: chance.between(1, 3) }
  if (kind < 0.7) return { at, type: 'cut', computer }
  if (kind < 0.8) return { at, type: chance.pick(['lose-power', 'silence'] as const), computer, lasts }
  if (kind < 0.93)
    return { at, type: chance.pick(['kill', 'kill', 'stop', 'pause', 'no-database'] as const), host, lasts }
  return { at, type: chance.pick(['failing-database', 'lost-replies'] as const), lasts }
}
