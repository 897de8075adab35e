// What one agent sends without a request: logins and logouts, its introduction, and messages that nobody needs, up to a
// limit.

import type { Hello } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { cutText } from '../system/cut-text.ts'
import type { FleetEvent } from '../system/events.ts'
import { LimitedEvents } from '../system/throttle.ts'
import { FramingError } from './connection/codec.ts'
import { limitHellos, toHello } from './connection/hello.ts'
import { parseEvent, type SessionEvent, toFleetEvent, toSessionEvent } from './connection/reply-body.ts'

export interface UnsolicitedDeps {
  addr: string
  /** The log for lines of one kind about this agent; it limits them. */
  logOf(kind: string): Log
  /** Sets the status for a login or logout. */
  setSession(action: SessionEvent['action']): void
  /** A login, logout or introduction; undefined for a login or logout that equals the one before it. */
  onReport(event: FleetEvent | undefined): void
}

/** Logins and logouts in a second: more than people cause on one computer. */
const sessionsPerSecond = 5

/** Messages that nobody needs, without a proper reply between them, after which the connection is closed. */
const maxIgnored = 100

export class Unsolicited {
  readonly #deps: UnsolicitedDeps
  /** Since the last proper reply. */
  #ignored = 0
  /** Undefined until the first login or logout. */
  #sessions: LimitedEvents<SessionEvent> | undefined
  #lastSession: SessionEvent | undefined
  /** Undefined until the first introduction. */
  #hellos: LimitedEvents<Hello> | undefined

  constructor(deps: UnsolicitedDeps) {
    this.#deps = deps
  }

  /** Handles the body of a 103. Throws a FramingError as `ignore` does. */
  onEvent(body: string | undefined): void {
    const { addr, logOf, onReport } = this.#deps
    const event = parseEvent(body)
    const session = toSessionEvent(event)
    if (session) {
      this.#sessions ??= new LimitedEvents(sessionsPerSecond, event => this.#onSession(event))
      return this.#sessions.add(session)
    }
    const hello = toHello(event)
    if (hello) {
      this.#hellos ??= limitHellos(each => onReport({ type: 'client-hello', addr, hello: each }))
      return this.#hellos.add(hello)
    }
    const got = body === undefined ? 'no body' : cutText(body, 80)
    logOf('session').warn(`agent ${addr}`, `103 ignored: expected a session event or a hello, got ${got}`)
    this.ignore()
  }

  #onSession(event: SessionEvent): void {
    const { addr, setSession, onReport } = this.#deps
    const { action, user } = this.#lastSession ?? {}
    this.#lastSession = event
    setSession(event.action)
    onReport(event.action === action && event.user === user ? undefined : toFleetEvent(addr, event))
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

  /** Passes on the last login or logout, and the last introduction. */
  close(): void {
    this.#sessions?.close()
    this.#hellos?.close()
  }
}
