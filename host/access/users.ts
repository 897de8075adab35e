// The users: people who log in with a name and a password, or whom a proxy has logged in.
import type { New, User } from '../../stores/store.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { NewUser, Refusal, Rights, UserChange, UserEntry } from '../contract/services.ts'
import { type AccountDeps, AccountRecords, type Entry } from './accounts.ts'
import type { AdmittedLogin } from './login-limits.ts'
import type { PasswordSlots } from './password-slots.ts'
import { hashPassword, matchesPassword } from './passwords.ts'

export interface UsersDeps extends Omit<AccountDeps<User>, 'kind'> {
  /** Called when a user may no longer have the sessions that are open: a new password, disabled or deleted. */
  locked(id: number): void
  slots: Pick<PasswordSlots, 'run'>
}

/** The lane of administrators who set passwords. */
const ownLane = ''

export class Users {
  readonly records: AccountRecords<User>
  readonly #deps: UsersDeps

  constructor(deps: UsersDeps) {
    this.records = new AccountRecords({ kind: 'user', ...deps })
    this.#deps = deps
  }

  /** Undefined for a wrong name or password, and for a user who is disabled: all take the same time. */
  async verify(
    name: string,
    password: string,
    { kind, lane }: Pick<AdmittedLogin, 'kind' | 'lane'>,
  ): Promise<Entry<User> | undefined> {
    const check = () => matchesPassword(password, this.records.named(name)?.row.hash)
    const isRight = await this.#deps.slots.run(kind, lane, check)
    // Read again: it may have changed while the hash was computed.
    const entry = this.records.named(name)
    return isRight && entry && !entry.row.disabled ? entry : undefined
  }

  /** The rights of a user who is not disabled; notes the use. */
  find(id: number): Rights | undefined {
    return this.#use(this.records.get(id))
  }

  findNamed(name: string): Rights | undefined {
    return this.#use(this.records.named(name))
  }

  rightsOf(id: number): Rights | undefined {
    const entry = this.records.get(id)
    return entry && !entry.row.disabled ? entry.rights : undefined
  }

  list(): UserEntry[] {
    return this.records.list().map(({ row: { hash: _, ...row }, used }) => ({ ...row, used }))
  }

  /** Resolves to the new id. */
  async add(user: NewUser, by: string): Promise<number | Refusal> {
    const { name, password, role, centers = [], rooms = [] } = user
    const hash = await this.#hash(password)
    const created = Math.floor(this.#deps.clock.now() / 1000)
    return this.records.add({ name, hash, role, centers, rooms, created, by, disabled: false, used: 0 })
  }

  async update(id: number, { password, ...change }: UserChange): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, disabled } = change
    const hash = password === undefined ? undefined : await this.#hash(password)
    const row: Partial<New<User>> = { name, role, centers, rooms, disabled, hash }
    const refusal = await this.records.update(id, row)
    if (!refusal && (hash !== undefined || disabled)) this.#deps.locked(id)
    return refusal
  }

  async delete(id: number): Promise<Refusal | undefined> {
    const refusal = await this.records.delete(id)
    if (!isRefusal(refusal)) this.#deps.locked(id)
    return refusal
  }

  #hash(password: string): Promise<string> {
    return this.#deps.slots.run('known', ownLane, () => hashPassword(password))
  }

  #use(entry: Entry<User> | undefined): Rights | undefined {
    if (!entry || entry.row.disabled) return undefined
    this.records.use(entry)
    return entry.rights
  }
}
