// What commands ask of hooks: which there are, and to run, pause and resume them.
import type { hook } from '../../commands/_schemas/hooks.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal } from './request.ts'

export type HookEntry = FromSchema<typeof hook>

/** Refused for a hook that is not in service. With several hosts all of them follow. */
export interface HooksService {
  /** By name. */
  list(): HookEntry[]
  /** Of `every` and `cron` only. `time`: milliseconds since 1970, when it has no run before; default: now. */
  run(hook: string, time?: number): Refusal | undefined
  /** `by`: who asks for it. */
  pause(hook: string, by: string): Promise<Refusal | undefined>
  resume(hook: string): Promise<Refusal | undefined>
}
