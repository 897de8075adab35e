// Checks values with the schemas of the built-in commands, so that an import stores nothing that the daemon would refuse.
import { join } from 'node:path'
import { stop } from 'esbuild'
import { toWireJson } from '../../agents/connection/codec.ts'
import type { Check } from '../../contract/loaded-command.ts'
import { loadFile } from '../../modules/load-file.ts'
import { builtInFolder } from '../installation.ts'

export interface CommandChecks {
  /** Why the command does not take the payload. */
  mismatch(command: string, payload: object): string | undefined
  /** The same for the parameters of a step, which gets its clients when it runs. */
  stepMismatch(command: string, params: Record<string, unknown>): string | undefined
}

/** A valid value for `clients`. */
const anyClients = ['127.0.0.1']

/** Loads these commands. `forwardBytes`: the longest body that agents are sent. */
export async function loadCommandChecks(commands: Iterable<string>, forwardBytes: number): Promise<CommandChecks> {
  const checks = new Map<string, Check>()
  for (const command of commands) {
    const { checked, problem } = await loadFile(join(builtInFolder, `${command}.ts`))
    if (!checked) throw new Error(`${command}: ${problem}`)
    checks.set(command, checked.checkPayload ?? (() => undefined))
  }
  await stop()
  const mismatch = (command: string, payload: object) => {
    const check = checks.get(command)
    return check ? check(payload) : `there is no command ${command}`
  }
  return {
    mismatch,
    stepMismatch(command, params) {
      const length = toWireJson(params).length
      if (length > forwardBytes) return `expected at most ${forwardBytes} bytes for an agent, got ${length}`
      return mismatch(command, { ...params, clients: anyClients })
    },
  }
}
