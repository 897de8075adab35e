// Runs a shell script, which is ended with all its processes.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { OutputPieces } from './output-pieces.ts'

/**
 * Characters. The daemon keeps 4,095 unless its limits are raised. JSON needs at most 6 bytes for each, and the daemon takes
 * messages of 128 KiB.
 */
const longestOutput = 16_384

/** Milliseconds from the first signal to SIGKILL. */
const killDelay = 1000

/** Milliseconds in which output is still read when the script has ended and a process of it keeps its output open. */
const outputDelay = 1000

const running = new Map<ChildProcess, ScriptShell>()

/** How the scripts of a system are run. */
export interface ScriptShell {
  /** Its standard output has all that the script prints. */
  start(script: string, environment?: Record<string, string>): ChildProcess
  createDecoder(): { write(bytes: Buffer): string }
  /** Ends the script with all its processes; 0 does nothing. Returns whether there are any. */
  kill(child: ChildProcess, signal: NodeJS.Signals | 0): boolean
  statusOf(code: unknown, signalName: unknown): number
}

interface ScriptOptions {
  /** Gets what it prints while it runs. */
  pieces?: OutputPieces | undefined
  /** Seconds after which it is ended. */
  timeout?: number | undefined
  /** Further variables. */
  environment?: Record<string, string> | undefined
}

/**
 * Resolves to what the script printed, standard error included and cut, and its exit code: 128 and the signal's number when a
 * signal ended it; `timed_out` when its time was over. Rejects when the shell cannot be started, and when `signal` was
 * aborted: as soon as the script has ended.
 */
export async function runScript(
  shell: ScriptShell,
  script: string,
  signal: AbortSignal,
  { pieces, timeout, environment }: ScriptOptions = {},
) {
  signal.throwIfAborted()
  const child = shell.start(script, environment)
  const output = collectOutput(child, shell.createDecoder(), pieces)
  const time = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000)
  const end = AbortSignal.any(time ? [signal, time] : [signal])
  let killTimer: NodeJS.Timeout | undefined
  const onEnd = () => {
    shell.kill(child, 'SIGTERM')
    // Also when the shell has ended by then: its children may ignore the first signal.
    killTimer = setTimeout(shell.kill, killDelay, child, 'SIGKILL')
  }
  end.addEventListener('abort', onEnd)
  running.set(child, shell)
  try {
    const [code, signalName] = await once(child, 'exit')
    await outputEnd(child)
    signal.throwIfAborted()
    pieces?.end()
    return { out: output(), status: shell.statusOf(code, signalName), ...(end.aborted && { timed_out: true }) }
  } finally {
    end.removeEventListener('abort', onEnd)
    pieces?.close()
    if (end.aborted) await allEnded(shell, child)
    clearTimeout(killTimer)
    running.delete(child)
    child.stdout?.destroy()
  }
}

/** Kills all running scripts at once, for the end of the agent. */
export function killScripts(): void {
  for (const [child, shell] of running) shell.kill(child, 'SIGKILL')
}

function collectOutput(
  { stdout }: ChildProcess,
  decoder: { write(bytes: Buffer): string },
  pieces: OutputPieces | undefined,
): () => string {
  let text = ''
  stdout?.on('data', (chunk: Buffer) => {
    // What is beyond the limit is read, too: the script would wait otherwise.
    const printed = decoder.write(chunk)
    if (text.length < longestOutput) text += printed
    pieces?.add(printed)
  })
  return () => text.slice(0, longestOutput).replace(/[\ud800-\udbff]$/, '')
}

/** Resolves when the output has ended: at once, unless a process in the background keeps it open. */
async function outputEnd({ stdout }: ChildProcess): Promise<void> {
  if (!stdout || stdout.readableEnded || stdout.destroyed) return
  await once(stdout, 'close', { signal: AbortSignal.timeout(outputDelay) }).catch(() => {})
}

/** Resolves when no process of the script is left; at most until SIGKILL has had its effect. */
async function allEnded(shell: ScriptShell, child: ChildProcess): Promise<void> {
  const end = Date.now() + 2 * killDelay
  while (shell.kill(child, 0) && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
}
