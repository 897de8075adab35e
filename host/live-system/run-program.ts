// Runs a program that builds a live system: its lines as they come, and the last ones as the reason when it fails.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** Lines of a program that fails which are kept. */
const reasonLines = 8

interface RunOptions {
  /** Kills the program and all that it has started. */
  signal: AbortSignal
  onLine?(line: string): void
}

/**
 * In namespaces of its own, for processes and mounts: when it ends, or this process is killed, nothing runs on, and nothing
 * of this computer is mounted any more in a folder that is deleted next.
 */
const inNamespaces = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Rejects with the last lines when it fails. */
export async function runProgram(program: string, args: string[], { signal, onLine }: RunOptions): Promise<void> {
  const child = spawn('setpriv', [...inNamespaces, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
    signal,
    killSignal: 'SIGKILL',
  })
  const last: string[] = []
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', line => {
      if (last.push(line) > reasonLines) last.shift()
      onLine?.(line)
    })
  // An abort is also an error, which `throwIfAborted` reports when nothing runs any more: `once` would not wait for that.
  child.on('error', error => last.push(error.message))
  const [code, by] = await new Promise<unknown[]>(resolve => child.on('close', (...ended) => resolve(ended)))
  signal.throwIfAborted()
  if (code !== 0) throw new Error([`${program}: ended with ${by ?? code}`, ...last].join('\n  '))
}

/** Throws one error that names all programs which are not in `PATH`, and what installs them. */
export function requirePrograms(packageOf: Readonly<Record<string, string>>): void {
  const missing = Object.keys(packageOf).filter(program => !isInstalled(program))
  if (missing.length === 0) return
  const packages = [...new Set(missing.map(program => packageOf[program]))].join(' ')
  throw new Error(`expected ${missing.join(', ')}, got none: apt-get install ${packages}`)
}

export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
