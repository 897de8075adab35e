// Shows what changes: a text every second, or a wait for something that goes on in the daemon; and what Ctrl-C does then.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import { paint, type Screen, type Terminal } from './terminal.ts'
import { formatLocalTime } from './text-table.ts'

const updateMilliseconds = 1000

/**
 * `draw` gets the maximum line width on a terminal; undefined ends the view. Into a pipe, a text is printed only when it
 * has changed and is not empty.
 */
export async function watch(
  { screen, print }: Pick<Terminal, 'screen' | 'print'>,
  draw: (width?: number) => Promise<string | undefined>,
): Promise<void> {
  const signal = interruptSignal()
  screen?.enter()
  try {
    let previous = ''
    while (!signal.aborted) {
      if (screen) {
        const lines = await drawScreen(screen, draw)
        if (!lines) return
        screen.show(lines)
      } else {
        const text = await draw()
        if (text === undefined) return
        if (text !== previous && text !== '') print(text)
        previous = text
      }
      await wait(updateMilliseconds, undefined, { signal }).catch(() => {})
    }
  } finally {
    screen?.leave()
  }
}

async function drawScreen(
  { size }: Screen,
  draw: (width: number) => Promise<string | undefined>,
): Promise<string[] | undefined> {
  const { columns, rows } = size()
  // Keep running while the daemon restarts: show connection errors and try again.
  const text = await draw(columns).catch(error => {
    if (error instanceof CliError && error.status === undefined && error.exitCode === 1)
      return paint('red', error.message.slice(0, columns))
    throw error
  })
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const hidden = lines.length - (rows - 1)
  const visible = hidden > 0 ? [...lines.slice(0, rows - 2), paint('gray', `… ${hidden + 1} more`)] : lines
  return [paint('gray', `${formatLocalTime(new Date().toISOString())}  Ctrl-C ends`), ...visible]
}

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
