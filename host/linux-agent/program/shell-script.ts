// Runs a shell script in a process group of its own, which is killed with all its processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
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

const running = new Set<ChildProcess>()

interface ScriptOptions {
  /** Gets what it prints while it runs. */
  pieces?: OutputPieces | undefined
  /** Seconds after which it is ended. */
  timeout?: number | undefined
}

/**
 * Resolves to what the script printed, standard error included and cut, and its exit code: 128 and the signal's number when a
 * signal ended it; `timed_out` when its time was over. Rejects when the shell cannot be started, and when `signal` was
 * aborted: as soon as the script has ended.
 */
export async function runScript(script: string, signal: AbortSignal, { pieces, timeout }: ScriptOptions = {}) {
  signal.throwIfAborted()
  // The outer shell joins both outputs, so that their lines stay in order; it is replaced by the one that runs the script.
  const child = spawn('/bin/sh', ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const output = collectOutput(child, pieces)
  const time = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000)
  const end = AbortSignal.any(time ? [signal, time] : [signal])
  let killTimer: NodeJS.Timeout | undefined
  const onEnd = () => {
    killGroup(child, 'SIGTERM')
    // Also when the shell has ended by then: its children may ignore the first signal.
    killTimer = setTimeout(killGroup, killDelay, child, 'SIGKILL')
  }
  end.addEventListener('abort', onEnd)
  running.add(child)
  try {
    const [code, signalName] = await once(child, 'exit')
    await outputEnd(child)
    signal.throwIfAborted()
    pieces?.end()
    return { out: output(), status: statusOf(code, signalName), ...(end.aborted && { timed_out: true }) }
  } finally {
    end.removeEventListener('abort', onEnd)
    pieces?.close()
    if (end.aborted) await groupEnd(child)
    clearTimeout(killTimer)
    running.delete(child)
    child.stdout?.destroy()
  }
}

/** Kills all running scripts at once, for the end of the agent. */
export function killScripts(): void {
  for (const child of running) killGroup(child, 'SIGKILL')
}

function collectOutput({ stdout }: ChildProcess, pieces: OutputPieces | undefined): () => string {
  const decoder = new StringDecoder('utf8')
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

/** Resolves when no process of the group is left; at most until SIGKILL has had its effect. */
async function groupEnd(child: ChildProcess): Promise<void> {
  const end = Date.now() + 2 * killDelay
  while (killGroup(child, 0) && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 20))
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
