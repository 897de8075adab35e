// Limits log lines that agents and callers can cause: the first ones of a second are written, the others counted.
import { Throttle } from '../system/throttle.ts'
import { type Log, message } from './log.ts'

/**
 * Returns the log for the lines of one kind from one peer; `key` stands for both, as `10.1.1.20 connected`. To be asked
 * for again for every line.
 */
export type ThrottledLog = (key: string) => Log

/** Lines of one key that are written in a second; one more line counts the others. */
const defaultPerSecond = 5

interface Line {
  level: 'info' | 'warn'
  where: string
  what: string
}

export function limitLog(log: Log, { perSecond = defaultPerSecond }: { perSecond?: number } = {}): ThrottledLog {
  const throttle = new Throttle<Line>()

  function endSecond(): void {
    for (const { last, omitted } of throttle.end()) {
      log[last.level](last.where, `${omitted} more lines of this kind in one second, the last: ${last.what}`)
    }
  }

  return key => {
    const admits = (level: Line['level'], where: string, what: string) => {
      if (throttle.isEmpty) setTimeout(endSecond, 1000).unref()
      return throttle.admits(key, { level, where, what }, perSecond)
    }
    return {
      info(where, what, fields) {
        if (admits('info', where, what)) log.info(where, what, fields)
      },
      warn(where, what, fields) {
        if (admits('warn', where, what)) log.warn(where, what, fields)
      },
      error(where, what, error) {
        const line = error === undefined ? what : `${what}: ${message(error)}`
        if (admits('warn', where, line)) log.error(where, what, error)
      },
    }
  }
}
