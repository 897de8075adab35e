// Checks whether the daemon can work, for /readyz.
import type { HealthService } from '../contract/services.ts'
import { message } from '../log/log.ts'
import { withTimeout } from './timeout.ts'

/** Rejects, or resolves to the reason, when the thing that it checks does not work. */
export type HealthCheck = () => Promise<string | undefined>

/** Returns the reason when it does not work, at no cost. */
export type HealthState = () => string | undefined

export interface Health extends HealthService {
  /** `name` stands before the reason: `store: disk full`. */
  add(name: string, check: HealthCheck): void
  /** As `add`, for what the daemon knows: it counts at once, results of checks are used for a second. */
  addState(name: string, state: HealthState): void
  /** `notes` returns what is no reason to be unready. */
  addNotes(notes: () => string[]): void
}

/** Timeout of each check. */
const checkMilliseconds = 2000

/** /readyz needs no token, and its check of the store writes: however often it is called, it checks once a second. */
const reuseMilliseconds = 1000

/** `reuse`: milliseconds for which a result is used again. */
export function createHealth(reuse = reuseMilliseconds): Health {
  const checks = new Map<string, HealthCheck>()
  const states = new Map<string, HealthState>()
  const noteLists: (() => string[])[] = []
  let running: Promise<string[]> | undefined
  let ended = Number.NEGATIVE_INFINITY

  async function run([name, check]: [string, HealthCheck]): Promise<string[]> {
    const reason = withTimeout(check(), checkMilliseconds, `no answer after ${checkMilliseconds / 1000} s`)
    return withName(name, await reason.catch(message))
  }

  async function runAll(): Promise<string[]> {
    ended = Number.POSITIVE_INFINITY
    const problems = (await Promise.all(Array.from(checks, run))).flat()
    ended = performance.now()
    return problems
  }

  return {
    add: (name, check) => void checks.set(name, check),
    addState: (name, state) => void states.set(name, state),
    addNotes: notes => void noteLists.push(notes),
    notes: () => noteLists.flatMap(notes => notes()),
    async problems() {
      if (!running || performance.now() - ended >= reuse) running = runAll()
      const problems = await running
      return [...problems, ...Array.from(states).flatMap(([name, state]) => withName(name, state()))]
    },
  }
}

const withName = (name: string, reason: string | undefined) => (reason === undefined ? [] : [`${name}: ${reason}`])
