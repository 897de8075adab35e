// Runs a script by /bin/sh in a process group of its own, which is killed with all its processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import type { ScriptShell } from '../../agent-program/shell-script.ts'

export const linuxShell: ScriptShell = {
  start(script, environment) {
    // The outer shell joins both outputs, so that their lines stay in order; it is replaced by the one that runs the script.
    return spawn('/bin/sh', ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', script], {
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  },
  createDecoder: () => new StringDecoder('utf8'),
  kill: killGroup,
  statusOf,
}

/** Returns whether the group has processes. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

function statusOf(code: unknown, signalName: unknown): number {
  if (typeof code === 'number') return code
  const [, number = 0] = Object.entries(constants.signals).find(([name]) => name === signalName) ?? []
  return 128 + number
}
