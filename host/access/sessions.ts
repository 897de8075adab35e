// The sessions of users who have logged in: in memory only, by the hash of what their cookie has.
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../system/clock.ts'

const hour = 3_600_000 // ms
/** A session ends when it was not used for this time, and at the latest after the other. */
const idleMilliseconds = 8 * hour
const maxMilliseconds = 7 * 24 * hour
/** Sessions of one user; a further login ends the oldest. */
const maxPerUser = 20
const secretBytes = 32

interface Session {
  user: number
  created: number
  used: number
}

const keyOf = (secret: string) => createHash('sha256').update(secret).digest('base64')

export class Sessions {
  readonly #clock: Clock
  /** In the order of the logins. */
  readonly #sessions = new Map<string, Session>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the value of the cookie. */
  create(user: number): string {
    this.#dropEnded()
    const own = [...this.#sessions].filter(([, session]) => session.user === user)
    for (const [key] of own.slice(0, Math.max(0, own.length - maxPerUser + 1))) this.#sessions.delete(key)
    const secret = randomBytes(secretBytes).toString('base64url')
    const now = this.#clock.now()
    this.#sessions.set(keyOf(secret), { user, created: now, used: now })
    return secret
  }

  /** The id of the user. */
  find(secret: string): number | undefined {
    const session = this.#sessions.get(keyOf(secret))
    if (!session || this.#hasEnded(session)) return undefined
    session.used = this.#clock.now()
    return session.user
  }

  end(secret: string): void {
    this.#sessions.delete(keyOf(secret))
  }

  endAllOf(user: number): void {
    for (const [key, session] of this.#sessions) if (session.user === user) this.#sessions.delete(key)
  }

  #hasEnded({ created, used }: Session): boolean {
    const now = this.#clock.now()
    return now - used >= idleMilliseconds || now - created >= maxMilliseconds
  }

  #dropEnded(): void {
    for (const [key, session] of this.#sessions) if (this.#hasEnded(session)) this.#sessions.delete(key)
  }
}
