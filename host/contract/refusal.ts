// Refusals as values: recognised by their class, so that a command may answer JSON with any keys.
import type { Cause, Refusal, RefusalStatus } from './services.ts'

class RefusalValue {}

export const refuse = (reason: string, status: RefusalStatus = 400, cause?: Cause): Refusal =>
  Object.assign(new RefusalValue(), { refused: reason, status, ...(cause && { cause }) })
export const isRefusal = (value: unknown): value is Refusal => value instanceof RefusalValue
