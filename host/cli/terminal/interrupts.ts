// What Ctrl-C does: it ends a view, or the wait for something that goes on in the daemon.
import { once } from 'node:events'
import type { Terminal } from './terminal.ts'

/** Aborted by Ctrl-C and SIGTERM, which no longer end the program then. */
export function interruptSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) once(process, signal).then(() => stop.abort())
  return stop.signal
}

/** `wait` may show a progress line. Ctrl-C prints `notice` and ends the program with exit code 130. */
export async function withProgress(
  { progress, printError }: Pick<Terminal, 'progress' | 'printError'>,
  notice: string,
  wait: () => Promise<void>,
): Promise<void> {
  const interrupt = () => {
    progress('')
    printError(notice)
    process.exit(130)
  }
  process.once('SIGINT', interrupt)
  try {
    await wait()
  } finally {
    process.off('SIGINT', interrupt)
    progress('')
  }
}
