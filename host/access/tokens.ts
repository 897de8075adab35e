// The named tokens: which one a request carries, and their changes. Their secrets are never stored.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Token } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Changer, NewToken, Refusal, Rights, TokenChange } from '../contract/services.ts'
import { type AccountDeps, AccountRecords, type Entry } from './accounts.ts'

const secretBytes = 32
/** Characters in base64url. */
const secretLength = 43

const form = /^fh_(\d{1,15})_([\w-]{43})$/

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

export class Tokens extends AccountRecords<Token> {
  /** What was accepted, in memory only: comparing it costs less than another hash. */
  readonly #accepted = new WeakMap<Entry<Token>, Buffer>()

  constructor(deps: Omit<AccountDeps<Token>, 'kind'>) {
    super({ kind: 'token', ...deps })
  }

  /** The rights of a token that is right, or why it is not. */
  find(text: string): Rights | string {
    const [, digits, secret = ''] = form.exec(text) ?? []
    if (digits === undefined) return 'wrong token'
    const entry = this.get(Number(digits))
    if (!entry || !this.#isRight(secret, entry)) return 'wrong token'
    return this.use(entry.row.id) ?? this.problemOf(entry.row) ?? 'wrong token'
  }

  /** Resolves to the id and the token, which nobody can read again. */
  async add(token: NewToken, by: string): Promise<{ id: number; token: string } | Refusal> {
    const { name, role, centers = [], rooms = [], groups, expires = 0 } = token
    const past = this.#checkExpiry(expires)
    if (past) return past
    const secret = randomBytes(secretBytes).toString('base64url')
    const created = Math.floor(this.#now())
    const limits = { centers, rooms, ...(groups && { groups }) }
    const row = { name, hash: hashOf(secret), role, ...limits, created, by, disabled: false, used: 0, expires }
    const id = await this.addRow(row)
    return isRefusal(id) ? id : { id, token: `fh_${id}_${secret}` }
  }

  async update(id: number, change: TokenChange, changer?: Changer): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, groups, expires, disabled } = change
    const isChanged = expires !== undefined && expires !== this.get(id)?.row.expires
    const past = isChanged ? this.#checkExpiry(expires) : undefined
    return (
      past ??
      this.updateRow(
        id,
        { name, role, centers, rooms, ...(groups && { groups }), expires, disabled },
        disabled === true,
        changer,
      )
    )
  }

  protected problemOf({ name, disabled, expires }: Readonly<Token>): string | undefined {
    if (disabled) return `token ${name} is disabled`
    return expires !== 0 && expires <= this.#now() ? `token ${name} has expired` : undefined
  }

  #isRight(secret: string, entry: Entry<Token>): boolean {
    const accepted = this.#accepted.get(entry)
    receivedSecret.write(secret, 'latin1')
    if (accepted && timingSafeEqual(accepted, receivedSecret)) return true
    if (!hasHash(secret, entry.row.hash)) return false
    this.#accepted.set(entry, Buffer.from(secret, 'latin1'))
    return true
  }

  /** Seconds since 1970. */
  #now(): number {
    return this.deps.clock.now() / 1000
  }

  #checkExpiry(expires: number): Refusal | undefined {
    if (expires === 0 || expires > this.#now()) return undefined
    return refuse(`expires: expected seconds since 1970 in the future, got ${expires}`)
  }
}
