// Links that log a browser in, for who already has a right token or session: each counts once, for a minute.
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../system/clock.ts'

/** How long a link counts. */
const linkSeconds = 60
/** Links that nobody has opened; the oldest is dropped for another one. */
const maxLinks = 100
const secretBytes = 32

/** An account, see `Rights.reference`, and what proved it, see `Session`. */
interface Link {
  reference: string
  proof: string
}

export class LoginLinks {
  readonly #clock: Clock
  /** Hashes of the secrets, with the accounts that asked for them, the oldest first. */
  readonly #links = new Map<string, Link & { expires: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A path of the console, which passes the secret to `POST /login`. */
  create(link: Link): { path: string; seconds: number } {
    const [oldest] = this.#links.keys()
    if (this.#links.size >= maxLinks && oldest !== undefined) this.#links.delete(oldest)
    const secret = randomBytes(secretBytes).toString('base64url')
    this.#links.set(hash('sha256', secret), { ...link, expires: this.#clock.now() + linkSeconds * 1000 })
    return { path: `/console#login=${secret}`, seconds: linkSeconds }
  }

  /** The account that asked for the link; undefined when it is unknown, was used or is too old. */
  use(secret: string): Link | undefined {
    const key = hash('sha256', secret)
    const link = this.#links.get(key)
    this.#links.delete(key)
    return link && this.#clock.now() < link.expires ? link : undefined
  }
}
