// The refusals of commands: values, told from answers by who made them.
import type { Refusal } from './services.ts'

class Refused implements Refusal {
  readonly refused: string
  constructor(reason: string) {
    this.refused = reason
  }
}

export const refuse = (reason: string): Refusal => new Refused(reason)
export const isRefusal = (value: unknown): value is Refusal => value instanceof Refused
