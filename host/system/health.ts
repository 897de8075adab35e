// Whether the daemon can do its work, and what keeps it from it.
import type { HealthRoom } from '../services.ts'
import { message } from './log.ts'
import { within } from './timeout.ts'

export interface HealthParts {
  /** Rejects when the store cannot be written. */
  probe(): Promise<void>
  /** Whether the agents' port listens. */
  listening(): boolean
  /** How many commands are in service. */
  commands(): number
}

/** A store that has not answered by then does not. */
const storeMilliseconds = 2000

export function createHealth({ probe, listening, commands }: HealthParts): HealthRoom {
  async function storeProblem(): Promise<string[]> {
    try {
      await within(storeMilliseconds, `no answer within ${storeMilliseconds / 1000} s`, probe())
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
