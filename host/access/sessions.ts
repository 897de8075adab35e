// The sessions of callers who have logged in, by the hash of what their cookie has.
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../system/clock.ts'
import type { KeptSessions, Session } from './kept-sessions.ts'

const hour = 3_600_000 // ms
/** A session ends when it was not used for this time, and at the latest after the other. */
const idleMilliseconds = 8 * hour
const maxMilliseconds = 7 * 24 * hour
/** Sessions of one user or token; a further login ends the oldest. */
const maxPerReference = 20
const secretBytes = 32

const keyOf = (secret: string) => hash('sha256', secret, 'base64')

export class Sessions {
  readonly #clock: Clock
  /** In the order of the logins. */
  readonly #sessions: Map<string, Session>
  readonly #kept: Pick<KeptSessions, 'read' | 'write'>

  constructor(clock: Clock, kept: Pick<KeptSessions, 'read' | 'write'>) {
    this.#clock = clock
    this.#kept = kept
    this.#sessions = new Map(kept.read())
    this.#dropEnded()
  }

  /** Returns the value of the cookie. */
  create(reference: string, proof: string): string {
    this.#dropEnded()
    const own = [...this.#sessions].filter(([, session]) => session.reference === reference)
    for (const [key] of own.slice(0, Math.max(0, own.length - maxPerReference + 1))) this.#sessions.delete(key)
    const secret = randomBytes(secretBytes).toString('base64url')
    const now = this.#clock.now()
    this.#sessions.set(keyOf(secret), { reference, proof, created: now, used: now })
    this.write()
    return secret
  }

  /** Counts as a use. */
  find(secret: string): Session | undefined {
    const session = this.peek(secret)
    if (session) session.used = this.#clock.now()
    return session
  }

  peek(secret: string): Session | undefined {
    const session = this.#sessions.get(keyOf(secret))
    return session && !this.#hasEnded(session) ? session : undefined
  }

  end(secret: string): void {
    if (this.#sessions.delete(keyOf(secret))) this.write()
  }

  /** Keeps them over a restart, with their last uses. */
  write(): void {
    this.#kept.write([...this.#sessions])
  }

  endAllOf(reference: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.reference === reference)
    for (const [key] of own) this.#sessions.delete(key)
    if (own.length > 0) this.write()
  }

  #hasEnded({ created, used }: Session): boolean {
    const now = this.#clock.now()
    return now - used >= idleMilliseconds || now - created >= maxMilliseconds
  }

  #dropEnded(): void {
    for (const [key, session] of this.#sessions) if (this.#hasEnded(session)) this.#sessions.delete(key)
  }
}
