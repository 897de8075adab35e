// The sessions in a file of the data folder, so that a restart of the daemon logs nobody out: hashes, never their secrets.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { isNotFound } from '../system/fs-errors.ts'

export interface Session {
  /** Whose rights it has: `user:3`, `token:7`, or `admin`. */
  reference: string
  /** A hash of the password or token that was used to log in, as the daemon keeps it: with another one it has ended. */
  proof: string
  /** Milliseconds since 1970. */
  created: number
  used: number
}

/** By the hash of what the cookie has. */
export type SessionEntries = [key: string, session: Session][]

const fileMode = 0o600

export class KeptSessions {
  readonly #file: string
  readonly #log: Log
  #hasFailed = false

  constructor(folder: string, log: Log) {
    this.#file = join(folder, 'sessions.json')
    this.#log = log
  }

  /** Empty for a first start. A file that cannot be read logs everybody out, with a warning. */
  read(): SessionEntries {
    try {
      const entries: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      if (!Array.isArray(entries) || !entries.every(isEntry)) throw new Error('expected a list of sessions')
      return entries
    } catch (error) {
      if (!isNotFound(error)) this.#log.warn('access', `${this.#file}: ${message(error)}; users have to log in again`)
      return []
    }
  }

  /** Replaces the file. Sessions are few, and a login is rare. Where it fails, they are in memory only. */
  write(entries: SessionEntries): void {
    const unfinished = `${this.#file}.${randomBytes(4).toString('hex')}`
    try {
      writeFileSync(unfinished, JSON.stringify(entries), { flag: 'wx', mode: fileMode })
      renameSync(unfinished, this.#file)
      this.#hasFailed = false
    } catch (error) {
      rmSync(unfinished, { force: true })
      if (!this.#hasFailed) this.#log.warn('access', `sessions are not kept over a restart: ${message(error)}`)
      this.#hasFailed = true
    }
  }
}

function isEntry(entry: unknown): entry is SessionEntries[number] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !(entry[1] instanceof Object)) return false
  const { reference, proof, created, used } = entry[1]
  const isNamed = typeof reference === 'string' && typeof proof === 'string'
  return isNamed && Number.isFinite(created) && Number.isFinite(used)
}
