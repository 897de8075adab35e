// The daemon's log: one line per event on standard output.
import { inspect } from 'node:util'
import { perTick } from '../system/time-slices.ts'

/** `where` is the component, `what` the event with its details. */
export interface Log {
  info(where: string, what: string, fields?: LogFields): void
  warn(where: string, what: string, fields?: LogFields): void
  /** For bugs and store faults: the error's message ends the line, its stack follows. */
  error(where: string, what: string, error?: unknown): void
}

/** The values in a line, for programs: only the JSON form has them. */
export interface LogFields {
  /** What has happened: `write`, `refusal`, `job-finished`, `command-failed`. */
  event: string
  route?: string
  /** The name of who asked for it. */
  by?: string
  /** The address of the caller. */
  caller?: string
  status?: number
  reason?: string
  command?: string
  job?: number
  /** The id of what was added. */
  id?: number
  /** The number of clients that it concerns, and the first ones. */
  targets?: number
  clients?: readonly string[]
  /** The number of parts of a job by state. */
  counts?: Readonly<Record<string, number>>
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
  /**
   * `json`: one object per line, with `time`, `level`, `where`, `what`, `component` (with `client`, if `where` names
   * one), the fields of the line, and for errors `stack`.
   */
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

interface Details {
  stack?: string
  fields?: LogFields
}

/** A text line is `<ISO time> <level> <where>: <what>`; the lines of a stack follow, indented. */
export function createLog(
  write: Write = text => process.stdout.write(text),
  { level = 'info', format = 'text' }: LogOptions = {},
): Log {
  const log = (eventLevel: Level, where: string, what: string, { stack, fields }: Details = {}) => {
    if (levels.indexOf(eventLevel) < levels.indexOf(level)) return
    const time = new Date().toISOString()
    if (format === 'json') {
      const [component, client] = where.split(' ', 2)
      const line = { time, level: eventLevel, where, what, component, client, ...fields, stack }
      write(`${JSON.stringify(line)}\n`, eventLevel)
      return
    }
    const trace = stack === undefined ? '' : `${stack.split('\n').map(indented).join('\n')}\n`
    write(`${time} ${eventLevel.padEnd(5)} ${printable(where)}: ${printable(what)}\n${trace}`, eventLevel)
  }
  return {
    info: (where, what, fields) => log('info', where, what, { fields }),
    warn: (where, what, fields) => log('warn', where, what, { fields }),
    error(where, what, error) {
      const stack = error instanceof Error ? error.stack : undefined
      log('error', where, error === undefined ? what : `${what}: ${message(error)}`, { stack })
    },
  }
}

/** Causes, and errors of several attempts, that a message names. */
const maxCauses = 5
const maxAttempts = 3

/** The message of a thrown value, which need not be an Error, with those of its causes: `fetch failed: connect ECONNREFUSED`. */
export function message(error: unknown, depth = maxCauses): string {
  if (!(error instanceof Error)) return inspect(error, { depth: 1, breakLength: Infinity })
  const { message: own, cause } = error
  const attempts = error instanceof AggregateError ? error.errors.slice(0, maxAttempts) : []
  const below = depth === 0 ? [] : attempts.concat(cause ?? []).map(each => message(each, depth - 1))
  // Many errors repeat the message of their cause.
  const reasons = [...new Set(below)].filter(text => text !== '' && !own.includes(text)).join(', ')
  return own === '' || reasons === '' ? own || reasons : `${own}: ${reasons}`
}

/** `file: problem`; a problem that names its file and line already is the whole line. */
export function inFile(file: string, problem: string): string {
  return problem.startsWith(`${file}:`) ? problem : `${file}: ${problem}`
}
