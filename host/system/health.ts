// Whether the daemon can do its work, and what keeps it from it.
import type { HealthService } from '../services.ts'
import { message } from './log.ts'
import { withTimeout } from './timeout.ts'

export interface HealthDeps {
  /** Rejects when the store cannot be written. */
  probe(): Promise<void>
  /** Whether the agents' port listens. */
  listening(): boolean
  /** How many commands are in service. */
  commands(): number
}

/** A store that has not answered by then does not. */
const storeMilliseconds = 2000

export function createHealth({ probe, listening, commands }: HealthDeps): HealthService {
  async function storeProblem(): Promise<string[]> {
    try {
      await withTimeout(storeMilliseconds, `no answer within ${storeMilliseconds / 1000} s`, probe())
      return []
    } catch (error) {
      return [`store: ${message(error)}`]
    }
  }

  return {
    problems: async () => [
      ...(await storeProblem()),
      ...(listening() ? [] : ['agents: their port does not listen']),
      ...(commands() > 0 ? [] : ['modules: no command is in service']),
    ],
  }
}
