// Limits log lines that agents and callers can cause: the first ones of a second are written, the others counted.
import { Throttle } from '../system/throttle.ts'
import { type Log, type LogFields, message } from './log.ts'

/**
 * Returns the log for the lines of one kind from one peer; `key` stands for both, as `10.1.1.20 connected`. To be asked
 * for again for every line.
 */
export type LimitedLog = (key: string) => Log

/** Lines of one key that are written in a second; one more line counts the others. */
const defaultPerSecond = 5

type Passes = (key: string, level: 'info' | 'warn', where: string, what: string) => boolean

export function limitLog(log: Log, { perSecond = defaultPerSecond }: { perSecond?: number } = {}): LimitedLog {
  const throttle = new Throttle<{ level: 'info' | 'warn'; where: string; what: string }>({
    milliseconds: 1000,
    ended(omitted) {
      for (const { count, last } of omitted) {
        log[last.level](last.where, `${count} more lines of this kind in one second, the last: ${last.what}`)
      }
    },
  })
  const passes: Passes = (key, level, where, what) => throttle.passes(key, { level, where, what }, perSecond)
  return key => new KeyLog(log, key, passes)
}

class KeyLog implements Log {
  readonly #log: Log
  readonly #key: string
  readonly #passes: Passes

  constructor(log: Log, key: string, passes: Passes) {
    this.#log = log
    this.#key = key
    this.#passes = passes
  }

  info(where: string, what: string, fields?: LogFields): void {
    if (this.#passes(this.#key, 'info', where, what)) this.#log.info(where, what, fields)
  }

  warn(where: string, what: string, fields?: LogFields): void {
    if (this.#passes(this.#key, 'warn', where, what)) this.#log.warn(where, what, fields)
  }

  error(where: string, what: string, error?: unknown): void {
    const line = error === undefined ? what : `${what}: ${message(error)}`
    if (this.#passes(this.#key, 'warn', where, line)) this.#log.error(where, what, error)
  }
}
