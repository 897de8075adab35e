// The named tokens: which one a request carries, and their changes. Their secrets are never stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Token } from '../../stores/store.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { NewToken, Refusal, Rights, TokenChange, TokenEntry } from '../services.ts'
import { type AccountDeps, AccountRecords } from './accounts.ts'

/** Random bytes of a secret: 43 characters in base64url. */
const secretBytes = 32

const form = /^fh_(\d{1,15})_([\w-]{43})$/

/** Why a token is refused: for the log. */
export type TokenProblem = string

// Of the text, not of the bytes that it stands for: these have several spellings in base64url.
const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

export class Tokens {
  readonly records: AccountRecords<Token>
  readonly #now: () => number

  constructor({ collection, limitsOf, clock, log }: Omit<AccountDeps<Token>, 'kind'>) {
    this.records = new AccountRecords({ kind: 'token', collection, limitsOf, clock, log })
    this.#now = () => clock.now() / 1000
  }

  /** The rights of a token that is right, or why it is not. Costs a look-up and one hash. */
  find(text: string): Rights | TokenProblem {
    const [, digits, secret = ''] = form.exec(text) ?? []
    if (digits === undefined) return 'wrong token'
    const entry = this.records.get(Number(digits))
    if (!entry || !timingSafeEqual(Buffer.from(entry.row.hash, 'hex'), hashOf(secret))) return 'wrong token'
    const problem = this.#problemOf(entry.row)
    if (problem !== undefined) return problem
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
    const hash = hashOf(secret).toString('hex')
    const created = Math.floor(this.#now())
    const row = { name, hash, role, centers, rooms, created, by, disabled: false, used: 0, expires }
    const id = await this.records.add(row)
    return isRefusal(id) ? id : { id, token: `fh_${id}_${secret}` }
  }

  async update(id: number, change: TokenChange): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, expires, disabled } = change
    const isChanged = expires !== undefined && expires !== this.records.get(id)?.row.expires
    const past = isChanged ? this.#checkExpiry(expires) : undefined
    return past ?? this.records.update(id, { name, role, centers, rooms, expires, disabled })
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
