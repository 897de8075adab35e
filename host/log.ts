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

/** Writes `<ISO time> <level> <where>: <what>`. */
export function createLog(write: (text: string) => void = text => process.stdout.write(text)): Log {
  const line = (level: string, where: string, what: string) =>
    write(`${new Date().toISOString()} ${level} ${printable(where)}: ${printable(what)}\n`)
  return {
    info: (where, what) => line('info ', where, what),
    warn: (where, what) => line('warn ', where, what),
    error(where, what, error) {
      line('error', where, error === undefined ? what : `${what}: ${message(error)}`)
      if (error instanceof Error && error.stack) write(`${error.stack.replace(/^/gm, '  ')}\n`)
    },
  }
}

/** The message of anything that was thrown, which need not be an Error. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error, { depth: 1, breakLength: Infinity })
}
