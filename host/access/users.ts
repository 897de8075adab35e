// The users: people who log in with a name and a password, or whom a provider or a proxy has logged in.
import { isDeepStrictEqual } from 'node:util'
import type { New, User } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Changer, NewUser, Refusal, Rights, UserChange } from '../contract/services.ts'
import { type AccountDeps, AccountRecords, type Entry } from './accounts.ts'
import type { AdmittedLogin } from './login-throttle.ts'
import type { PasswordSlots } from './password-slots.ts'
import { hashPassword, matchesPassword } from './passwords.ts'

export interface UsersDeps extends Omit<AccountDeps<User>, 'kind'> {
  slots: Pick<PasswordSlots, 'run'>
}

/** A person whom the provider knows. `identity` is the same at each login, the other values need not be. */
export type ProviderUser = Pick<User, 'name' | 'role' | 'centers' | 'rooms'> & { identity: string; groups: number[] }

type Limits = Omit<ProviderUser, 'identity'>

const hasLimits = ({ name, role, centers, rooms, groups = [] }: Readonly<User>, limits: Limits): boolean =>
  isDeepStrictEqual({ name, role, centers, rooms, groups }, limits)

/** Who adds these users. */
const byProvider = 'single sign-on'

/** In place of the hash of a password, for the users that the provider logs in, and for those that it does no more. */
const [prefix, endedPrefix] = ['oidc$', 'oidc-ended$']

const hasEnded = ({ hash }: Pick<User, 'hash'>): boolean => hash.startsWith(endedPrefix)

export const isOfProvider = (row: Pick<User, 'hash'>): boolean => row.hash.startsWith(prefix) || hasEnded(row)

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
    const row = this.named(name)?.row
    const check = () => matchesPassword(password, row && !isOfProvider(row) ? row.hash : undefined)
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

  async update(id: number, { password, ...change }: UserChange, changer?: Changer): Promise<Refusal | undefined> {
    const { name, role, centers, rooms, groups, disabled } = change
    const row = this.get(id)?.row
    if (password !== undefined && row && isOfProvider(row)) return refuse(`password: user ${row.name} has none here`)
    const hash = password === undefined ? undefined : await this.#hash(password)
    const changed: Partial<New<User>> = { name, role, centers, rooms, ...(groups && { groups }), disabled, hash }
    return this.updateRow(id, changed, hash !== undefined || disabled === true, changer)
  }

  /** Adds the user at the first login, and gives the user the present name and limits at each. */
  async fromProvider({ identity, ...limits }: ProviderUser): Promise<Rights | Refusal> {
    const entry = this.#ofIdentity(identity, limits.name) ?? (await this.#addFromProvider(identity, limits))
    if (isRefusal(entry)) return entry
    const { id, disabled, name } = entry.row
    const isBack = hasEnded(entry.row)
    if (disabled && !isBack) return refuse(`user ${name} is disabled`, 403)
    const namesake = this.named(limits.name)
    // The rights follow the provider also where somebody else has the name.
    const present = namesake && namesake.row.id !== id ? { ...limits, name } : limits
    const change = { ...present, ...(isBack && { hash: prefix + identity, disabled: false }) }
    const isChanged = isBack || !hasLimits(entry.row, present)
    const refusal = isChanged ? await this.updateRow(id, change, false) : undefined
    return refusal ?? this.use(id) ?? refuse(`user ${limits.name} is disabled`, 403)
  }

  /** The provider entitles the person no more: all sessions and schedules end, until it does again. */
  async endOfProvider(identity: string): Promise<void> {
    const entry = this.#ofIdentity(identity)
    if (!entry || entry.row.disabled) return
    await this.updateRow(entry.row.id, { hash: endedPrefix + identity, disabled: true }, true)
  }

  protected problemOf({ disabled }: Readonly<User>): string | undefined {
    return disabled ? 'disabled' : undefined
  }

  /** An undone deletion may have brought a second one back: then the one with the name, or else the newest. */
  #ofIdentity(identity: string, name?: string): Entry<User> | undefined {
    const hashes = [prefix + identity, endedPrefix + identity]
    const entries = this.list().flatMap(({ id }) => this.get(id) ?? [])
    const found = entries.filter(({ row }) => hashes.includes(row.hash))
    return found.find(({ row }) => row.name === name) ?? found.at(-1)
  }

  async #addFromProvider(identity: string, { name, role, ...limits }: Limits): Promise<Entry<User> | Refusal> {
    const { centers, rooms, groups } = limits
    const created = Math.floor(this.deps.clock.now() / 1000)
    const row = { name, hash: prefix + identity, role, centers, rooms, ...(groups.length > 0 && { groups }) }
    const id = await this.addRow({ ...row, created, by: byProvider, disabled: false, used: 0 })
    // Another login of the person, maybe on another host, may have added the user meanwhile.
    if (isRefusal(id)) await this.reload()
    const entry = this.#ofIdentity(identity)
    if (entry) return entry
    if (isRefusal(id) && !this.named(name)) return id
    return refuse(`there is a user ${name} who does not log in by this account of the provider`, 403)
  }

  #hash(password: string): Promise<string> {
    return this.#slots.run('known', ownLane, () => hashPassword(password))
  }
}
