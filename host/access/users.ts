// The users: people who log in with a name and a password, or whom a proxy has logged in.
import type { New, User } from '../../stores/store.ts'
import type { NewUser, Refusal, UserChange } from '../contract/services.ts'
import { type AccountDeps, AccountRecords, type Entry } from './accounts.ts'
import type { AdmittedLogin } from './login-throttle.ts'
import type { PasswordSlots } from './password-slots.ts'
import { hashPassword, matchesPassword } from './passwords.ts'

export interface UsersDeps extends Omit<AccountDeps<User>, 'kind'> {
  slots: Pick<PasswordSlots, 'run'>
}

/** The lane of administrators who set passwords. */
const ownLane = ''

export class Users extends AccountRecords<User> {
  readonly #slots: UsersDeps['slots']

  constructor({ slots, ...deps }: UsersDeps) {
    super({ kind: 'user', ...deps })
    this.#slots = slots
  }

  /** Undefined for a wrong name or password, and for a user who is disabled: all take the same time. */
  async verify(
    name: string,
    password: string,
    { kind, lane }: Pick<AdmittedLogin, 'kind' | 'lane'>,
  ): Promise<Entry<User> | undefined> {
    const check = () => matchesPassword(password, this.named(name)?.row.hash)
    const isRight = await this.#slots.run(kind, lane, check)
    // Read again: it may have changed while the hash was computed.
    const entry = this.named(name)
    return isRight && entry && !entry.row.disabled ? entry : undefined
  }

  /** Resolves to the new id. */
  async add(user: NewUser, by: string): Promise<number | Refusal> {
    const { name, password, role, centers = [], rooms = [], groups } = user
    const hash = await this.#hash(password)
    const created = Math.floor(this.deps.clock.now() / 1000)
    return this.addRow({
      name,
      hash,
      role,
      centers,
      rooms,
      ...(groups && { groups }),
      created,
      by,
      disabled: false,
      used: 0,
    })
  }

  async update(id: number, { password, ...change }: UserChange): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, groups, disabled } = change
    const hash = password === undefined ? undefined : await this.#hash(password)
    const row: Partial<New<User>> = { name, role, centers, rooms, ...(groups && { groups }), disabled, hash }
    return this.updateRow(id, row, hash !== undefined || disabled === true)
  }

  protected problemOf({ disabled }: Readonly<User>): string | undefined {
    return disabled ? 'disabled' : undefined
  }

  #hash(password: string): Promise<string> {
    return this.#slots.run('known', ownLane, () => hashPassword(password))
  }
}
