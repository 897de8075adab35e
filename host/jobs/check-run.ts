// Whether a caller may run commands on clients: what it cannot send itself, it cannot run through a task either.
import { checkClients, checkCommand, checkPayloadClients } from '../access/rights.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { refuse } from '../refusal.ts'
import type { Refusal, Rights } from '../services.ts'
import type { CommandStep } from './expand-steps.ts'

/** A refusal with 403, or undefined. A command that is not loaded is not refused: its parts fail. */
export function checkRun(
  rights: Rights,
  { commands, clients }: { commands: readonly CommandStep[]; clients: readonly string[] },
  findCommand: (name: string) => LoadedCommand | undefined,
): Refusal | undefined {
  for (const { command, params } of commands) {
    const loaded = findCommand(command)
    const refusal = loaded && (checkCommand(rights, loaded) ?? checkPayloadClients(rights, loaded, params))
    if (refusal) return refuse(`step ${command}: ${refusal.refused}`, 403)
  }
  return checkClients(rights, clients)
}

/** The answer to a limited caller for what does not exist, too: it must not learn which ids do. */
export const refuseUnknown = ({ isLimited }: Rights, reason: string): Refusal =>
  isLimited ? refuse('expected something whose computers are all in the rooms of the token', 403) : refuse(reason)
