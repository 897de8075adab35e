// Refusals as values: recognised by their class, so that a command may answer JSON with any keys.
import type { Refusal } from './services.ts'

class RefusalValue implements Refusal {
  readonly refused: string
  constructor(reason: string) {
    this.refused = reason
  }
}

export const refuse = (reason: string): Refusal => new RefusalValue(reason)
export const isRefusal = (value: unknown): value is Refusal => value instanceof RefusalValue
