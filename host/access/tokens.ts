// The named tokens: which one a request carries, and their changes. Their secrets are never stored.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Token } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { NewToken, Refusal, Rights, TokenChange, TokenEntry } from '../contract/services.ts'
import { type AccountDeps, AccountRecords } from './accounts.ts'

const secretBytes = 32
/** Characters in base64url. */
const secretLength = 43

const form = /^fh_(\d{1,15})_([\w-]{43})$/

/** Why a token is refused: for the log. */
export type TokenProblem = string

// Of the text, not of the bytes that it stands for: these have several spellings in base64url.
const hashOf = (secret: string): string => hash('sha256', secret)

// Made once, as a comparison takes little more time than making its buffers.
const expected = Buffer.alloc(hashOf('').length)
const received = Buffer.alloc(expected.length)
const receivedSecret = Buffer.alloc(secretLength)

/** Compares in constant time. */
function hasHash(secret: string, stored: string): boolean {
  if (expected.write(stored, 'latin1') < expected.length) return false
  received.write(hashOf(secret), 'latin1')
  return timingSafeEqual(expected, received)
}

/** What was accepted, in memory only: comparing it costs less than another hash. */
interface AcceptedSecret {
  secret: Buffer
  /** The hash that it had. */
  hash: string
}

export interface TokensDeps extends Omit<AccountDeps<Token>, 'kind'> {
  /** Called when the sessions of a token end: it is disabled or deleted. */
  locked(id: number): void
}

export class Tokens {
  readonly records: AccountRecords<Token>
  readonly #now: () => number
  /** By the id of the token. */
  readonly #accepted = new Map<number, AcceptedSecret>()
  readonly #locked: TokensDeps['locked']

  constructor({ locked, ...deps }: TokensDeps) {
    const { clock } = deps
    this.records = new AccountRecords({ kind: 'token', ...deps })
    this.#now = () => clock.now() / 1000
    this.#locked = locked
  }

  /** The rights of a token that is right, or why it is not. */
  find(text: string): Rights | TokenProblem {
    const [, digits, secret = ''] = form.exec(text) ?? []
    if (digits === undefined) return 'wrong token'
    const entry = this.records.get(Number(digits))
    if (!entry || !this.#isRight(secret, entry.row)) return 'wrong token'
    const problem = this.#problemOf(entry.row)
    if (problem !== undefined) return problem
    this.records.use(entry)
    return entry.rights
  }

  /** The rights of a token that a session stands for; notes the use. */
  use(id: number): Rights | undefined {
    const entry = this.records.get(id)
    if (!entry || this.#problemOf(entry.row) !== undefined) return undefined
    this.records.use(entry)
    return entry.rights
  }

  /** The rights of a token that could be used now. */
  rightsOf(id: number): Rights | undefined {
    const entry = this.records.get(id)
    return entry && this.#problemOf(entry.row) === undefined ? entry.rights : undefined
  }

  list(): TokenEntry[] {
    return this.records.list().map(({ row: { hash: _, ...row }, used }) => ({ ...row, used }))
  }

  /** Resolves to the id and the token, which nobody can read again. */
  async add(token: NewToken, by: string): Promise<{ id: number; token: string } | Refusal> {
    const { name, role, centers = [], rooms = [], expires = 0 } = token
    const past = this.#checkExpiry(expires)
    if (past) return past
    const secret = randomBytes(secretBytes).toString('base64url')
    const created = Math.floor(this.#now())
    const row = { name, hash: hashOf(secret), role, centers, rooms, created, by, disabled: false, used: 0, expires }
    const id = await this.records.add(row)
    return isRefusal(id) ? id : { id, token: `fh_${id}_${secret}` }
  }

  async update(id: number, change: TokenChange): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, expires, disabled } = change
    const isChanged = expires !== undefined && expires !== this.records.get(id)?.row.expires
    const past = isChanged ? this.#checkExpiry(expires) : undefined
    const refusal = past ?? (await this.records.update(id, { name, role, centers, rooms, expires, disabled }))
    if (!refusal && disabled) this.#locked(id)
    return refusal
  }

  async delete(id: number): Promise<Refusal | undefined> {
    const refusal = await this.records.delete(id)
    if (!refusal) {
      this.#accepted.delete(id)
      this.#locked(id)
    }
    return refusal
  }

  #isRight(secret: string, { id, hash: stored }: Readonly<Token>): boolean {
    const accepted = this.#accepted.get(id)
    receivedSecret.write(secret, 'latin1')
    if (accepted?.hash === stored && timingSafeEqual(accepted.secret, receivedSecret)) return true
    if (!hasHash(secret, stored)) return false
    this.#accepted.set(id, { secret: Buffer.from(secret, 'latin1'), hash: stored })
    return true
  }

  #problemOf({ name, disabled, expires }: Readonly<Token>): TokenProblem | undefined {
    if (disabled) return `token ${name} is disabled`
    return expires !== 0 && expires <= this.#now() ? `token ${name} has expired` : undefined
  }

  #checkExpiry(expires: number): Refusal | undefined {
    if (expires === 0 || expires > this.#now()) return undefined
    return refuse(`expires: expected seconds since 1970 in the future, got ${expires}`)
  }
}
