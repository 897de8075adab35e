// Keeps what callers delete, edit and import for some days, so that it can be taken back.
import type { KeptStore, Store } from '../../stores/store.ts'
import type { Changer } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { historyCollection } from './inventory-history.ts'
import { readNames } from './named-ids.ts'
import { namesOfChange } from './named-records.ts'
import { doneOf, inShort, valuesOf, whatOf } from './undo-words.ts'

/** How long, and how many: a program may delete and add the same thing all day. */
export const binDays = 30
const mostChanges = 10_000

const dayMilliseconds = 86_400_000
const hourMilliseconds = 3_600_000
/** After so many new ones the oldest are deleted without waiting for the hour. */
const trimAfter = 100

interface UndoBinDeps {
  store: Store
  clock: Clock
  log: Log
}

/** Without a changer it only calls the method: nothing is kept. `undone`: how often the edit was that it takes back. */
export type Keep = <Result>(
  changer: Changer | undefined,
  call: (store: KeptStore) => Promise<Result>,
  undone?: number,
) => Promise<Result>

export type KeepOne = <Result>(call: (store: KeptStore) => Promise<Result>) => Promise<Result>

/** What a request edits in several steps can be taken back as one. */
export function asOneEdit(keep: Keep, { rights, kept, about, joins }: Changer): KeepOne {
  let first = joins
  const note = (id: number) => {
    first = id
    kept?.(id)
  }
  return call => keep({ rights, kept: note, about, joins: first }, call)
}

export class UndoBin {
  readonly #deps: UndoBinDeps
  #cancel: (() => void) | undefined
  #isClosed = false

  constructor(deps: UndoBinDeps) {
    this.#deps = deps
    void this.#sweep()
  }

  /** What the method of the store that `call` calls deletes, edits or adds can be taken back. */
  readonly keep: Keep = async (changer, call, undone) => {
    const { store, clock } = this.#deps
    if (!changer) return call(store)
    const { name: by, reference: account } = changer.rights
    const note = { at: clock.now(), by, account, joins: changer.joins, undone }
    const { result, item } = await store.undo.keep(note, call)
    if (!item) return result
    changer.kept?.(item.id)
    const fields = item.changes?.map(({ field }) => field)
    const change = inShort(doneOf(item, await readNames(store, fields ?? [])))
    // It is stored, also when names cannot be read now.
    const names = await namesOfChange(item, store).catch(() => undefined)
    changer.about?.(whatOf(item) + valuesOf(change), { change: { ...change, ...names } })
    if (item.id % trimAfter === 0) await this.#trim()
    return result
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  /** Deletes what is too old, now and every hour. */
  async #sweep(): Promise<void> {
    await this.#trim()
    if (!this.#isClosed) this.#cancel = this.#deps.clock.after(hourMilliseconds, () => void this.#sweep())
  }

  /** Inventory histories stay with the computers of which they are. Never rejects: it is tried again. */
  async #trim(): Promise<void> {
    const { store, clock, log } = this.#deps
    try {
      const before = clock.now() - binDays * dayMilliseconds
      const computers = await store.undo.trim({ before, keep: mostChanges })
      for (const id of computers) await store.documents.delete({ ...historyCollection, key: String(id) })
    } catch (error) {
      if (!this.#isClosed) log.error('store', 'deleted records that are too old stay', error)
    }
  }
}
