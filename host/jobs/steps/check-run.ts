// Whether a caller may run commands on clients: what it cannot send itself, it cannot run through a task either.
import { addressesAt, checkClients, checkCommand } from '../../access/rights.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal, Rights } from '../../contract/services.ts'
import type { CommandServices } from '../command-services.ts'
import type { CommandStep } from './resolve-steps.ts'

/** A refusal with 403, or undefined. A command that is not loaded is not refused: its parts fail. */
export function checkRun(
  rights: Rights,
  { commands, clients }: { commands: readonly CommandStep[]; clients: readonly string[] },
  findCommand: (name: string) => LoadedCommand | undefined,
): Refusal | undefined {
  for (const { command, params } of commands) {
    const loaded = findCommand(command)
    const refusal =
      loaded && (checkCommand(rights, loaded) ?? checkClients(rights, addressesAt(loaded.clientKeys, params)))
    if (refusal) return refuse(`step ${command}: ${refusal.refused}`, 403)
  }
  return checkClients(rights, clients)
}

/** As `checkRun`, before a run begins: what it is to do is asked of the commands, too. */
export async function checkStart(
  rights: Rights,
  run: { commands: readonly CommandStep[]; clients: readonly string[] },
  { findCommand, services }: { findCommand(name: string): LoadedCommand | undefined; services: CommandServices },
): Promise<Refusal | undefined> {
  const refusal = checkRun(rights, run, findCommand)
  if (refusal || !rights.isLimited || run.clients.length === 0) return refusal
  for (const { command, params } of run.commands) {
    const loaded = findCommand(command)
    const reason = loaded && (await askCommand(rights, loaded, { ...params, clients: run.clients }, services))
    if (reason) return refuse(`step ${command}: ${reason.refused}`, 403)
  }
  return undefined
}

/** A refusal when the command itself has a reason not to be run with this payload by a limited caller. */
export async function askCommand(
  rights: Rights,
  loaded: LoadedCommand,
  payload: unknown,
  services: CommandServices,
): Promise<Refusal | undefined> {
  if (!rights.isLimited || !loaded.command.checkRights) return undefined
  // What an earlier version of the command has accepted.
  const mismatch = loaded.checkPayload?.(payload)
  return mismatch === undefined
    ? loaded.command.checkRights({ payload, rights, ...services.contextOf(loaded) })
    : refuse(mismatch, 403)
}

/** The answer to a limited caller for what does not exist, too: it must not learn which ids do. */
export const refuseUnknown = ({ isLimited }: Rights, reason: string): Refusal =>
  isLimited ? refuse('expected something whose computers are all in the rooms of the token', 403) : refuse(reason)
