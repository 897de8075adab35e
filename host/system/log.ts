// The daemon's log: one line an event on standard output, whatever the text holds.
import { inspect } from 'node:util'

/** `where` names the part of the daemon and whom it is about, `what` says what happened. */
export interface Log {
  info(where: string, what: string): void
  warn(where: string, what: string): void
  /** For bugs and store faults: the line is followed by the error's stack. */
  error(where: string, what: string, error?: unknown): void
}

// Callers, agents and modules choose parts of the text: a line break in it must not forge a second line.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu
const printable = (text: string) =>
  text.replace(unprintable, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

export const levels = ['info', 'warn', 'error'] as const
export const formats = ['text', 'json'] as const
type Level = (typeof levels)[number]

export interface LogOptions {
  /** Events below it are left out. */
  level?: Level
  /** `json`: an object a line, with `time`, `level`, `where`, `what` and for bugs `stack`. */
  format?: (typeof formats)[number]
}

/** Takes the text of one event. */
export type Write = (text: string, level: Level) => void

/**
 * Writes the first text of a turn of the event loop at once, and what is told after it in the same turn together: a
 * warning, or the turn's end, brings it out.
 */
export function batchPerTick(write: (text: string) => void): Write {
  let told = ''
  let gathering = false
  const flush = () => {
    if (told !== '') write(told)
    told = ''
  }
  process.on('exit', flush)
  return (text, level) => {
    told += text
    if (!gathering || level !== 'info') flush()
    if (gathering) return
    gathering = true
    setImmediate(() => {
      gathering = false
      flush()
    })
  }
}

/** As text a line is `<ISO time> <level> <where>: <what>`; a stack follows indented. */
export function createLog(
  write: Write = text => process.stdout.write(text),
  { level = 'info', format = 'text' }: LogOptions = {},
): Log {
  const line = (of: Level, where: string, what: string, stack?: string) => {
    if (levels.indexOf(of) < levels.indexOf(level)) return
    const time = new Date().toISOString()
    if (format === 'json') return write(`${JSON.stringify({ time, level: of, where, what, stack })}\n`, of)
    const trace = stack === undefined ? '' : `${stack.replace(/^/gm, '  ')}\n`
    write(`${time} ${of.padEnd(5)} ${printable(where)}: ${printable(what)}\n${trace}`, of)
  }
  return {
    info: (where, what) => line('info', where, what),
    warn: (where, what) => line('warn', where, what),
    error(where, what, error) {
      const stack = error instanceof Error ? error.stack : undefined
      line('error', where, error === undefined ? what : `${what}: ${message(error)}`, stack)
    },
  }
}

/** The message of anything that was thrown, which need not be an Error. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error, { depth: 1, breakLength: Infinity })
}
