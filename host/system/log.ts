// The daemon's log: one line per event on standard output.
import { inspect } from 'node:util'
import { perTick } from './time-slices.ts'

/** `where` is the component, `what` the event with its details. */
export interface Log {
  info(where: string, what: string): void
  warn(where: string, what: string): void
  /** For bugs and store faults: the error's message ends the line, its stack follows. */
  error(where: string, what: string, error?: unknown): void
}

// Callers, agents and modules supply parts of the text: a line break in it must not start a forged line, and no
// character may steer the terminal that shows it.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const printable = (text: string) =>
  text.replace(unprintable, character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

const indented = (line: string) => `  ${printable(line)}`

export const levels = ['info', 'warn', 'error'] as const
export const formats = ['text', 'json'] as const
type Level = (typeof levels)[number]

export interface LogOptions {
  /** The lowest level that is logged. */
  level?: Level
  /** `json`: one object per line, with `time`, `level`, `where`, `what` and, for errors, `stack`. */
  format?: (typeof formats)[number]
}

/** Writes the text of one event. */
export type Write = (text: string, level: Level) => void

/**
 * Writes the first text of an event-loop tick at once and the later ones together at the end of the tick. A warning or
 * error writes everything that waits, and itself, at once.
 */
export function batchPerTick(write: (text: string) => void): Write {
  let waiting = ''
  const flush = () => {
    if (waiting !== '') write(waiting)
    waiting = ''
  }
  const flushAtEndOfTick = perTick(flush)
  process.on('exit', flush)
  return (text, level) => {
    waiting += text
    const isFirst = flushAtEndOfTick()
    if (isFirst || level !== 'info') flush()
  }
}

/** A text line is `<ISO time> <level> <where>: <what>`; the lines of a stack follow, indented. */
export function createLog(
  write: Write = text => process.stdout.write(text),
  { level = 'info', format = 'text' }: LogOptions = {},
): Log {
  const log = (eventLevel: Level, where: string, what: string, stack?: string) => {
    if (levels.indexOf(eventLevel) < levels.indexOf(level)) return
    const time = new Date().toISOString()
    if (format === 'json') {
      write(`${JSON.stringify({ time, level: eventLevel, where, what, stack })}\n`, eventLevel)
      return
    }
    const trace = stack === undefined ? '' : `${stack.split('\n').map(indented).join('\n')}\n`
    write(`${time} ${eventLevel.padEnd(5)} ${printable(where)}: ${printable(what)}\n${trace}`, eventLevel)
  }
  return {
    info: (where, what) => log('info', where, what),
    warn: (where, what) => log('warn', where, what),
    error(where, what, error) {
      const stack = error instanceof Error ? error.stack : undefined
      log('error', where, error === undefined ? what : `${what}: ${message(error)}`, stack)
    },
  }
}

/** The message of a thrown value, which need not be an Error. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error, { depth: 1, breakLength: Infinity })
}
