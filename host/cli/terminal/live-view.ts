// Shows the same thing again every second until it is interrupted.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { CliContext } from '../context.ts'
import { CliError } from './failure.ts'
import { localTime } from './table.ts'
import { paint, type Screen } from './terminal.ts'

const everyMilliseconds = 1000

/** `draw` gets the width that a line may have. Elsewhere than on a terminal only what has changed is printed. */
export async function watch({ screen, print }: CliContext, draw: (width?: number) => Promise<string>): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) once(process, signal).then(() => stop.abort())
  screen?.enter()
  try {
    let shown = ''
    while (!stop.signal.aborted) {
      if (screen) screen.show(await linesFor(screen, draw))
      else {
        const text = await draw()
        if (text !== shown) print(text)
        shown = text
      }
      await wait(everyMilliseconds, undefined, stop).catch(() => {})
    }
  } finally {
    screen?.leave()
  }
}

async function linesFor({ size }: Screen, draw: (width: number) => Promise<string>): Promise<string[]> {
  const { columns, rows } = size()
  // A daemon that is being restarted is back in a moment.
  const text = await draw(columns).catch(error => {
    if (error instanceof CliError && error.status === undefined && error.exitCode === 1)
      return paint('red', error.message.slice(0, columns))
    throw error
  })
  const lines = text.split('\n')
  const more = lines.length - (rows - 1)
  const shown = more > 0 ? [...lines.slice(0, rows - 2), paint('gray', `… ${more + 1} more`)] : lines
  return [paint('gray', `${localTime(new Date().toISOString())}  Ctrl-C ends`), ...shown]
}
