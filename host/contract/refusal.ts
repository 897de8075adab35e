// Refusals as values: recognised by their class, so that a command may answer JSON with any keys.
import type { Refusal, RefusalStatus } from './services.ts'

class RefusalValue implements Refusal {
  readonly refused: string
  readonly status: RefusalStatus
  constructor(reason: string, status: RefusalStatus) {
    this.refused = reason
    this.status = status
  }
}

export const refuse = (reason: string, status: RefusalStatus = 400): Refusal => new RefusalValue(reason, status)
export const isRefusal = (value: unknown): value is Refusal => value instanceof RefusalValue
