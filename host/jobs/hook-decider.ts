// Who decides about commands before they begin, as jobs see it: the hooks with `before`.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Refusal, Rights } from '../contract/services.ts'

export interface Question {
  loaded: LoadedCommand
  payload: unknown
  clients: readonly string[]
  /** Undefined for the job of somebody who has no account. */
  rights: Rights | undefined
  /** Whether it begins now: a refusal is recorded in the audit log. */
  begins: boolean
}

/** By address, why clients are skipped. */
export type SkippedClients = ReadonlyMap<string, string>

export interface Decider {
  /** Whether a hook names the command: others are not to be asked about. */
  concerns(loaded: LoadedCommand): boolean
  ask(question: Question): Promise<Refusal | SkippedClients>
}

/** By the index of the step. */
export type SkippedSteps = ReadonlyMap<number, SkippedClients>
