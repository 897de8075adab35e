// Limits log lines that agents and callers can cause: the first ones of a second are written, the others counted.
import { type Log, type LogFields, message } from './log.ts'

/**
 * Returns the log for the lines of one kind from one peer; `key` stands for both, as `10.1.1.20 connected`. To be asked
 * for again for every line.
 */
export type LimitedLog = (key: string) => Log

/** Lines of one key that are written in a second; one more line counts the others. */
const defaultPerSecond = 5

export function limitLog(log: Log, { perSecond = defaultPerSecond }: { perSecond?: number } = {}): LimitedLog {
  /** Keys of the current second. */
  let logs = new Map<string, KeyLog>()

  function endSecond(): void {
    const ended = logs
    logs = new Map()
    for (const keyLog of ended.values()) keyLog.reportOmitted()
  }

  return key => {
    if (logs.size === 0) setTimeout(endSecond, 1000).unref()
    let keyLog = logs.get(key)
    if (!keyLog) {
      keyLog = new KeyLog(log, perSecond)
      logs.set(key, keyLog)
    }
    return keyLog
  }
}

class KeyLog implements Log {
  readonly #log: Log
  /** Lines that can still be written. */
  #remaining: number
  #omitted = 0
  #lastOmitted: { level: 'info' | 'warn'; where: string; what: string } | undefined

  constructor(log: Log, perSecond: number) {
    this.#log = log
    this.#remaining = perSecond
  }

  info(where: string, what: string, fields?: LogFields): void {
    if (this.#isWritten('info', where, what)) this.#log.info(where, what, fields)
  }

  warn(where: string, what: string, fields?: LogFields): void {
    if (this.#isWritten('warn', where, what)) this.#log.warn(where, what, fields)
  }

  error(where: string, what: string, error?: unknown): void {
    const line = error === undefined ? what : `${what}: ${message(error)}`
    if (this.#isWritten('warn', where, line)) this.#log.error(where, what, error)
  }

  reportOmitted(): void {
    if (!this.#lastOmitted) return
    const { level, where, what } = this.#lastOmitted
    this.#log[level](where, `${this.#omitted} more lines of this kind in one second, the last: ${what}`)
  }

  #isWritten(level: 'info' | 'warn', where: string, what: string): boolean {
    this.#remaining -= 1
    if (this.#remaining >= 0) return true
    this.#omitted += 1
    this.#lastOmitted = { level, where, what }
    return false
  }
}
