// The tokens or users of the store in memory, since every request asks for one. Each change is stored first.
import type { Account, AccountConflict, Accounts, New } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Changer, Refusal, Rights } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { NamedStore } from '../store/named-ids.ts'
import { noteEdit } from '../store/note-edit.ts'
import type { Keep } from '../store/undo-bin.ts'
import type { Clock } from '../system/clock.ts'
import { createMutex } from '../system/mutex.ts'
import type { ScopeRights } from './account-scopes.ts'

/** Which computers, rooms and centers an account may use. */
export type ScopeOf = (account: Pick<Account, 'centers' | 'rooms' | 'groups'>) => ScopeRights

export interface AccountDeps<Row extends Account> {
  kind: 'token' | 'user'
  collection: Accounts<Row>
  store: NamedStore
  keep: Keep
  scopeOf: ScopeOf
  clock: Clock
  log: Log
  /** Called when the rights of accounts may be others than before, here or by another process. */
  changed?(): void
  /** Called when the sessions of an account end: it is disabled or deleted, or has another password. */
  locked(reference: string): void
}

/** An account with its rights, which hold while it is neither disabled nor expired. */
export interface Entry<Row extends Account> {
  row: Readonly<Row>
  rights: Rights
  /** The last use, in seconds since 1970; the store may have an older one. */
  used: number
}

/** The times of last uses are written at most this often, in milliseconds. */
const writeInterval = 5 * 60_000

export abstract class AccountRecords<Row extends Account> {
  protected readonly deps: AccountDeps<Row>
  readonly #oneAtATime = createMutex()
  #byId = new Map<number, Entry<Row>>()
  #byName = new Map<string, Entry<Row>>()
  /** Entries whose last use is not written. */
  #unwritten = new Set<number>()
  #cancelWrite: (() => void) | undefined

  constructor(deps: AccountDeps<Row>) {
    this.deps = deps
  }

  /** Why an account cannot be used now: for the log. */
  protected abstract problemOf(row: Readonly<Row>): string | undefined

  /** Reads the store again: after a start, and when another process may have changed it. */
  async reload(): Promise<void> {
    await this.#oneAtATime(() => this.#readChanged())
    // Sessions that another host has ended: they do not come back when the account is enabled again.
    for (const { row, rights } of this.#byId.values()) if (row.disabled) this.deps.locked(rights.reference)
  }

  get(id: number): Entry<Row> | undefined {
    return this.#byId.get(id)
  }

  named(name: string): Entry<Row> | undefined {
    return this.#byName.get(name)
  }

  /** In the order of the ids. */
  list(): Omit<Row, 'hash'>[] {
    return Array.from(this.#byId.values(), ({ row: { hash: _, ...row }, used }) => ({ ...row, used }))
  }

  /** The rights of an account that could be used now. */
  rightsOf(id: number): Rights | undefined {
    const entry = this.#byId.get(id)
    return entry && this.problemOf(entry.row) === undefined ? entry.rights : undefined
  }

  /** As `rightsOf`; notes the use. */
  use(id: number): Rights | undefined {
    const rights = this.rightsOf(id)
    if (rights) this.noteUse(id)
    return rights
  }

  /** Resolves to the new id. */
  protected addRow(row: New<Row>): Promise<number | Refusal> {
    return this.#oneAtATime(async () => {
      const id = await this.deps.collection.add(row)
      if (typeof id !== 'number') return refuse(descriptions[id])
      await this.#read()
      return id
    })
  }

  /** `locks`: its sessions end. */
  protected updateRow(
    id: number,
    change: Partial<New<Row>>,
    locks: boolean,
    changer?: Changer,
  ): Promise<Refusal | undefined> {
    return this.#change(id, locks, () => this.deps.collection.update(id, change), changer)
  }

  delete(id: number, changer?: Changer): Promise<Refusal | undefined> {
    const { kind, keep } = this.deps
    const remove = () => keep(changer, store => store[`${kind}s`].delete(id))
    return this.#change(id, true, async () => ((await remove()) ? 'updated' : 'unknown'))
  }

  /** Notes that an account was used now. */
  noteUse(id: number): void {
    const { clock } = this.deps
    const entry = this.#byId.get(id)
    if (entry) entry.used = Math.floor(clock.now() / 1000)
    this.#unwritten.add(id)
    this.#cancelWrite ??= clock.after(writeInterval, () => {
      this.#cancelWrite = undefined
      void this.#writeUses()
    })
  }

  /** Writes the last uses. */
  async close(): Promise<void> {
    this.#cancelWrite?.()
    await this.#writeUses()
  }

  async #change(
    id: number,
    locks: boolean,
    change: () => Promise<'updated' | 'unknown' | AccountConflict>,
    changer?: Changer,
  ): Promise<Refusal | undefined> {
    const { kind, locked, store } = this.deps
    const refusal = await this.#oneAtATime(async () => {
      const before = this.get(id)?.row
      const outcome = await change()
      if (outcome === 'unknown') return refuse(`id: there is no ${kind} ${id}`)
      if (outcome !== 'updated') return refuse(descriptions[outcome])
      await this.#readChanged()
      const after = this.get(id)?.row
      if (before && after) await noteEdit(changer, { kind, before, after }, store)
      return undefined
    })
    if (!refusal && locks) locked(this.#referenceOf(id))
    return refusal
  }

  async #readChanged(): Promise<void> {
    await this.#read()
    this.deps.changed?.()
  }

  async #read(): Promise<void> {
    const rows = await this.deps.collection.list()
    const before = this.#byId
    const entries = rows.map(row => this.#entryOf(row, before.get(row.id)?.used ?? 0))
    this.#byId = new Map(entries.map(entry => [entry.row.id, entry]))
    this.#byName = new Map(entries.map(entry => [entry.row.name, entry]))
  }

  #entryOf(row: Row, used: number): Entry<Row> {
    const { kind, scopeOf } = this.deps
    const { id, name, role } = row
    const rights = { name: `${kind} ${name}`, reference: this.#referenceOf(id), role, ...scopeOf(row) }
    return { row, rights, used: Math.max(row.used, used) }
  }

  async #writeUses(): Promise<void> {
    const ids = [...this.#unwritten]
    this.#unwritten.clear()
    const uses = ids.flatMap(id => {
      const entry = this.#byId.get(id)
      return entry ? [{ id, used: entry.used }] : []
    })
    if (uses.length === 0) return
    const { collection, kind, log } = this.deps
    await collection.setUsed(uses).catch(error => {
      log.warn('access', `the last uses of ${uses.length} ${kind}s are not stored: ${message(error)}`)
    })
  }

  #referenceOf(id: number): string {
    return `${this.deps.kind}:${id}`
  }
}

const descriptions: Record<AccountConflict, string> = {
  'name taken': 'name: expected a new one, got one that exists',
  'unknown center': 'centers: expected ids of centers, got one that does not exist',
  'unknown room': 'rooms: expected ids of rooms, got one that does not exist',
}
