// What one agent sends without a request: logins and logouts, and messages that nobody needs, up to a limit.

import { cutText } from '../system/cut-text.ts'
import type { Log } from '../system/log.ts'
import { FramingError } from './codec.ts'
import { parseSessionEvent, type SessionEvent } from './reply-body.ts'
import { SessionEvents } from './session-events.ts'

export interface UnsolicitedDeps {
  addr: string
  /** The log for lines of one kind about this agent; it limits them. */
  logOf(kind: string): Log
  /** A login or logout; `isRepeated`: it equals the one before it. */
  onSession(event: SessionEvent, isRepeated: boolean): void
}

/** Messages that nobody needs, without a proper reply between them, after which the connection is closed. */
const maxIgnored = 100

export class Unsolicited {
  readonly #deps: UnsolicitedDeps
  /** Since the last proper reply. */
  #ignored = 0
  /** Undefined until the first login or logout. */
  #sessions: SessionEvents | undefined

  constructor(deps: UnsolicitedDeps) {
    this.#deps = deps
  }

  /** Handles the body of a 103. Throws a FramingError as `ignore` does. */
  onSession(body: string | undefined): void {
    const { addr, logOf, onSession } = this.#deps
    const session = parseSessionEvent(body)
    if (session) {
      this.#sessions ??= new SessionEvents(onSession)
      return this.#sessions.add(session)
    }
    const got = body === undefined ? 'no body' : cutText(body, 80)
    logOf('session').warn(`agent ${addr}`, `103 ignored: expected a session event, got ${got}`)
    this.ignore()
  }

  /** Counts a message that nobody needs. Throws a FramingError when there are too many. */
  ignore(): void {
    this.#ignored += 1
    if (this.#ignored < maxIgnored) return
    throw new FramingError(`expected replies to requests, got ${maxIgnored} messages without a request`)
  }

  /** The agent has replied properly. */
  reset(): void {
    this.#ignored = 0
  }

  /** Passes on the last login or logout. */
  close(): void {
    this.#sessions?.close()
  }
}
