// Shows the same thing again every second until it is interrupted.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from './failure.ts'
import { localTime } from './tables.ts'
import { isTerminal, paint, print } from './terminal.ts'

const everyMilliseconds = 1000

const screen = {
  enter: '\x1b[?1049h\x1b[?25l',
  leave: '\x1b[?25h\x1b[?1049l',
  home: '\x1b[H',
  erase: '\x1b[J',
  line: '\x1b[K',
}

/** `draw` gets the width that a line may have. Elsewhere than on a terminal only what has changed is printed. */
export async function watch(draw: (width?: number) => Promise<string>): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) once(process, signal).then(() => stop.abort())
  if (isTerminal) process.stdout.write(screen.enter)
  try {
    let shown = ''
    while (!stop.signal.aborted) {
      const text = isTerminal ? await fullScreen(draw) : await draw()
      if (isTerminal) process.stdout.write(text)
      else if (text !== shown) print(text)
      shown = text
      await wait(everyMilliseconds, undefined, stop).catch(() => {})
    }
  } finally {
    if (isTerminal) process.stdout.write(screen.leave)
  }
}

async function fullScreen(draw: (width: number) => Promise<string>): Promise<string> {
  const { columns, rows } = process.stdout
  // A daemon that is being restarted is back in a moment.
  const text = await draw(columns).catch(error => {
    if (error instanceof Failure && error.status === undefined && error.exitCode === 1)
      return paint('red', error.message.slice(0, columns))
    throw error
  })
  const lines = text.split('\n')
  const more = lines.length - (rows - 1)
  const shown = more > 0 ? [...lines.slice(0, rows - 2), paint('gray', `… ${more + 1} more`)] : lines
  const head = paint('gray', `${localTime(new Date().toISOString())}  Ctrl-C ends`)
  return `${screen.home}${[head, ...shown].map(line => line + screen.line).join('\n')}${screen.erase}`
}
