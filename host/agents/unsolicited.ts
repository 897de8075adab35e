// What one agent sends besides its replies: logins and logouts, what it says of its computer, what its script prints,
// and messages that nobody needs, up to a limit.
import { isDeepStrictEqual } from 'node:util'
import type { Hello } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { cutText, toPrintable } from '../log/shown-text.ts'
import type { FleetEvent } from '../system/events.ts'
import { ThrottledEvents } from '../system/throttle.ts'
import { FramingError } from './connection/codec.ts'

export interface UnsolicitedDeps {
  addr: string
  /** The log for lines of one kind about this agent; it throttles them. */
  logOf(kind: string): Log
  /** Takes the status for a login or logout. */
  readonly state: { setSession(action: Session['action']): void }
  /** A login, logout, lock or hello; undefined for a login or logout that equals the one before it. */
  onReport(event: FleetEvent | undefined): void
  /** Returns whether the report was expected. */
  onEarly(report: EarlyReport): boolean
}

/** What a script has printed since the piece before, of which the first characters may be left out. */
export interface OutputPiece {
  text: string
  omitted: number
}

/** How far the copy of an image is, as events have it. */
export interface CopyReport {
  percent: number
  /** Bytes per second. */
  rate?: number
  /** Seconds. */
  remaining?: number
}

/** What comes of a command before its reply. */
export type EarlyReport = OutputPiece | CopyReport

interface Session {
  action: 'start' | 'stop'
  user?: string
  locked: boolean
}

/** Logins and logouts in a second: more than people cause on one computer. */
const sessionsPerSecond = 5

/** What it says of its computer: the first one counts, and the newest of each second. */
const hellosPerSecond = 1

/** Messages that nobody needs, without a proper reply between them, after which the connection is closed. */
const maxIgnored = 100

/** Most characters of a piece of output. */
const pieceLength = 4096

/** Keys of requests that an agent may say it knows. */
const mostKeys = 20

/** Most characters of each value. A host name has 63, a DMI serial number 64 at most. */
const lengths = { user: 64, name: 63, serial: 64, os: 100, agent: 64 } as const

export class Unsolicited {
  readonly #deps: UnsolicitedDeps
  /** Since the last proper reply. */
  #ignored = 0
  /** Undefined until the first login or logout. */
  #sessions: ThrottledEvents<Session> | undefined
  #lastLogin: Omit<Session, 'locked'> | undefined
  #isLocked = false
  /** Undefined until the first hello. */
  #hellos: ThrottledEvents<Hello> | undefined
  #lastHello: Hello | undefined
  #keys: readonly unknown[] = []

  constructor(deps: UnsolicitedDeps) {
    this.#deps = deps
  }

  /** Whether the agent has said that it knows these keys of requests. */
  knows(keys: readonly string[]): boolean {
    return keys.every(key => this.#keys.includes(key))
  }

  /** Handles the body of a 103. Throws a FramingError as `ignore` does. */
  onEvent(body = ''): void {
    const event = parseEvent(body)
    if (event.event === 'session' && (event.action === 'start' || event.action === 'stop')) {
      this.#sessions ??= new ThrottledEvents(sessionsPerSecond, session => this.#onSession(session))
      const { action, user, locked } = event
      return this.#sessions.add({
        action,
        ...(typeof user === 'string' && { user: toPrintable(user, lengths.user) }),
        locked: action === 'start' && locked === true,
      })
    }
    if (event.event === 'output' && typeof event.out === 'string') {
      const text = cutText(event.out, pieceLength)
      const omitted = Number.isSafeInteger(event.omitted) ? Math.max(0, Number(event.omitted)) : 0
      return this.#deps.onEarly({ text, omitted }) ? undefined : this.ignore()
    }
    if (event.event === 'progress' && typeof event.percent === 'number')
      return this.#deps.onEarly(toReport({ ...event, percent: event.percent })) ? undefined : this.ignore()
    if (event.event === 'hello') {
      this.#keys = Array.isArray(event.keys) ? event.keys.slice(0, mostKeys) : []
      this.#hellos ??= new ThrottledEvents(hellosPerSecond, hello => this.#onHello(hello))
      return this.#hellos.add(toHello(event))
    }
    const { addr } = this.#deps
    const got = body === '' ? 'no body' : cutText(body, 80)
    this.#deps.logOf('session').warn(`agent ${addr}`, `103 ignored: expected a session event or a hello, got ${got}`)
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

  /** Passes on the last login or logout, and the last hello. */
  close(): void {
    this.#sessions?.close()
    this.#hellos?.close()
  }

  #onSession({ locked, ...login }: Session): void {
    const { addr, state } = this.#deps
    const isRepeated = isDeepStrictEqual(login, this.#lastLogin)
    const wasLocked = isRepeated && this.#isLocked
    this.#lastLogin = login
    this.#isLocked = locked
    const { action, ...user } = login
    state.setSession(action)
    const type = action === 'start' ? 'session-login' : 'session-logout'
    this.#deps.onReport(isRepeated ? undefined : { type, addr, ...user })
    if (locked !== wasLocked) this.#deps.onReport({ type: 'session-lock', addr, ...user, locked })
  }

  #onHello(hello: Hello): void {
    const { addr } = this.#deps
    if (isDeepStrictEqual(hello, this.#lastHello)) return
    this.#lastHello = hello
    this.#deps.onReport({ type: 'client-hello', addr, hello })
  }
}

/** Empty for what is no object of JSON. */
function parseEvent(body: string): Record<string, unknown> {
  try {
    const event: unknown = JSON.parse(body)
    return event instanceof Object ? { ...event } : {}
  } catch {
    return {}
  }
}

function toReport({ percent, rate, remaining }: Record<string, unknown> & { percent: number }): CopyReport {
  const report: CopyReport = { percent: Math.round(10 * Math.min(100, Math.max(0, percent))) / 10 }
  if (Number.isSafeInteger(rate)) report.rate = Math.max(0, Number(rate))
  if (Number.isSafeInteger(remaining)) report.remaining = Math.max(0, Number(remaining))
  return report
}

/** Values that cannot be used are left out. */
function toHello(event: Record<string, unknown>): Hello {
  const hello: Hello = {}
  const mac = macOf(event.mac)
  if (mac !== undefined) hello.mac = mac
  for (const key of ['name', 'serial', 'os', 'agent'] as const) {
    const value = event[key]
    const text = typeof value === 'string' ? toPrintable(value, lengths[key]) : ''
    if (text !== '') hello[key] = text
  }
  return hello
}

/** The 12 digits in lower case; undefined for anything else, and for an address of zeros, which loopback has. */
function macOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 17) return undefined
  const text = value.toLowerCase()
  const digits = text.replaceAll(/[:-]/g, '')
  return /^(?:[\da-f]{2}[:-]?){5}[\da-f]{2}$/.test(text) && !/^0+$/.test(digits) ? digits : undefined
}
