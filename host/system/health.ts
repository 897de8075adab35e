// Checks whether the daemon can work, for /readyz.
import type { HealthService } from '../services.ts'
import { message } from './log.ts'
import { withTimeout } from './timeout.ts'

/** Rejects, or resolves to the reason, when the thing that it checks does not work. */
export type HealthCheck = () => Promise<string | undefined>

export interface Health extends HealthService {
  /** `name` stands before the reason: `store: disk full`. */
  add(name: string, check: HealthCheck): void
}

/** Timeout of each check. */
const checkMilliseconds = 2000

export function createHealth(): Health {
  const checks: { name: string; check: HealthCheck }[] = []

  async function run({ name, check }: (typeof checks)[number]): Promise<string[]> {
    try {
      const reason = await withTimeout(check(), checkMilliseconds, `no answer after ${checkMilliseconds / 1000} s`)
      return reason === undefined ? [] : [`${name}: ${reason}`]
    } catch (error) {
      return [`${name}: ${message(error)}`]
    }
  }

  return {
    add(name, check) {
      checks.push({ name, check })
    },
    async problems() {
      return (await Promise.all(checks.map(run))).flat()
    },
  }
}
