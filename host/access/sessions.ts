// The sessions of callers who have logged in, also in a file of the data folder, so that a restart logs nobody out.
import { hash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { isNotFound } from '../system/file-system.ts'
import { replaceFile } from '../system/replace-file.ts'

const hour = 3_600_000 // ms
/** A session ends when it was not used for this time, and at the latest after the other. */
const idleMilliseconds = 8 * hour
const maxMilliseconds = 7 * 24 * hour
/** Sessions of one user or token; a further login ends the oldest. */
const maxPerReference = 20
const secretBytes = 32
export interface Session {
  /** Whose rights it has: `user:3`, `token:7`, or `admin`. */
  reference: string
  /** A hash of the password or token that was used to log in, as the daemon keeps it: with another one it has ended. */
  proof: string
  /** Milliseconds since 1970. */
  created: number
  used: number
}

/** By the hash of what the cookie has: the file has no secrets. */
type SessionEntries = [key: string, session: Session][]

const keyOf = (secret: string) => hash('sha256', secret, 'base64')

export class Sessions {
  readonly #clock: Clock
  readonly #file: string
  readonly #log: Log
  /** In the order of the logins. */
  readonly #sessions: Map<string, Session>
  #hasFailed = false

  constructor(clock: Clock, folder: string, log: Log) {
    this.#clock = clock
    this.#file = join(folder, 'sessions.json')
    this.#log = log
    this.#sessions = new Map(readSessions(this.#file, log))
    this.#dropEnded()
  }

  /** Returns the value of the cookie. */
  create(reference: string, proof: string): string {
    this.#dropEnded()
    const open = this.#keysOf(reference)
    for (const key of open.slice(0, Math.max(0, open.length - maxPerReference + 1))) this.#sessions.delete(key)
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

  /** Replaces the file, with the last uses. Sessions are few, and a login is rare. Where it fails, they are in memory only. */
  write(): void {
    try {
      replaceFile(this.#file, JSON.stringify([...this.#sessions]))
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#log.warn('access', `sessions are not kept over a restart: ${message(error)}`)
      this.#hasFailed = true
    }
  }

  endAllOf(reference: string): void {
    const open = this.#keysOf(reference)
    for (const key of open) this.#sessions.delete(key)
    if (open.length > 0) this.write()
  }

  #keysOf(reference: string): string[] {
    return [...this.#sessions].flatMap(([key, session]) => (session.reference === reference ? [key] : []))
  }

  #hasEnded({ created, used }: Session): boolean {
    const now = this.#clock.now()
    return now - used >= idleMilliseconds || now - created >= maxMilliseconds
  }

  #dropEnded(): void {
    for (const [key, session] of this.#sessions) if (this.#hasEnded(session)) this.#sessions.delete(key)
  }
}

/** Empty for a first start. A file that cannot be read logs everybody out, with a warning. */
function readSessions(file: string, log: Log): SessionEntries {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(entries) || !entries.every(isEntry)) throw new Error('expected a list of sessions')
    return entries
  } catch (error) {
    if (!isNotFound(error)) log.warn('access', `${file}: ${message(error)}; users have to log in again`)
    return []
  }
}

function isEntry(entry: unknown): entry is SessionEntries[number] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !(entry[1] instanceof Object)) return false
  const { reference, proof, created, used } = entry[1]
  const isNamed = typeof reference === 'string' && typeof proof === 'string'
  return isNamed && Number.isFinite(created) && Number.isFinite(used)
}
