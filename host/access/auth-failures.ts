// Counts wrong tokens and failed logins, and reports the first ones of an address within a minute.

import type { ThrottledLog } from '../log/throttled-log.ts'
import type { Events } from '../system/events.ts'
import { Counts } from '../system/throttle.ts'

export interface AuthFailuresDeps {
  throttledLog: ThrottledLog
  events: Events
  /** The time in milliseconds; tests set it. */
  now?: () => number
}

/** Addresses that are reported within a minute: 10,000 events of all kinds are kept. */
const maxReports = 300
/** The key of their count. */
const allAddresses = 'all'

const none = () => {}
const silentLog: ThrottledLog = () => ({ info: none, warn: none, error: none })

export class AuthFailures {
  readonly #deps: AuthFailuresDeps
  readonly #counts: Counts
  #total = 0

  constructor(deps: AuthFailuresDeps) {
    this.#deps = deps
    this.#counts = new Counts({ now: deps.now })
  }

  /** How many there were. */
  get total(): number {
    return this.#total
  }

  /** Counts one and returns the log for it: a silent one after the first within a minute. */
  add(addr: string): ThrottledLog {
    this.#total += 1
    if (this.#counts.add(addr) > 1 || this.#counts.add(allAddresses) > maxReports) return silentLog
    this.#deps.events.emit({ type: 'auth-failed', addr })
    return this.#deps.throttledLog
  }
}
