// How far one hook has come: its queue, its place among the stored events, and its document in the store.
import type { FailureLog } from '../cluster/failure-log.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import { attempt, inBackground } from './attempt.ts'
import { isStoredType } from './hook-events.ts'
import { type Batch, HookQueue } from './hook-queue.ts'
import { type HookState, type HookStates, seenAt, type Waiting } from './hook-states.ts'
import { StoredReader, type StoredReaderDeps } from './stored-reader.ts'

export interface PositionDeps extends StoredReaderDeps {
  states: HookStates
  /** Of writes. */
  failures: FailureLog
  /** Events happen on other hosts while none runs the hook. */
  hasOtherHosts: boolean
  /** It could not be opened, or another host has changed its document: who runs it is to be found out again. */
  onRelease(): void
}

/** What changes without an effect after a crash is stored so often. */
const saveMilliseconds = 60_000

type Declared = Pick<HookState, 'file' | 'origin' | 'pack' | 'on' | 'before' | 'allowsErrors'>

export class HookPosition {
  readonly queue = new HookQueue()
  due: number | undefined
  lastRun: number | undefined
  lastError: string | undefined
  /** Grows when the hook is released: what was begun before must not count. */
  epoch = 0
  /** The state of this epoch; runs are only for an open one. */
  #state: 'closed' | 'opening' | 'open' = 'closed'
  readonly #key: string
  readonly #deps: PositionDeps
  readonly #reader: StoredReader
  #declared: Declared | undefined
  /** When its file was last there; undefined while it is. */
  #seen: number | undefined
  #storedTypes: readonly string[] = []
  /** What is being run, or is to be repeated. */
  #batch: Batch | undefined
  /** Of the document, undefined before the first one. */
  #version: number | undefined
  #saved = 0
  #saving = Promise.resolve()

  constructor(key: string, deps: PositionDeps, onEvents: () => void) {
    this.#key = key
    this.#deps = deps
    const types = () => this.#storedTypes
    this.#reader = new StoredReader(deps, { queue: this.queue, types, isOpen: () => this.isOpen, onEvents })
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get hasWork(): boolean {
    return this.#batch !== undefined || !this.queue.isEmpty
  }

  get waiting(): number {
    return this.queue.size + (this.#batch?.events.length ?? 0)
  }

  get declared(): Declared | undefined {
    return this.#declared
  }

  get types(): readonly string[] {
    return this.#declared?.on ?? []
  }

  declare({ file, origin, pack, hook }: LoadedHook): void {
    const isFirst = this.#storedTypes.length === 0
    const more = hook.before && { before: hook.before, ...(hook.onError && { allowsErrors: true as const }) }
    this.#seen = undefined
    this.#declare({ file, origin, pack, ...(hook.on && { on: hook.on }), ...more })
    if (!this.isOpen) return
    inBackground(this.#deps.failures, async () => {
      // Stored events that it names for the first time: from now on.
      if (isFirst) this.#reader.startAfter(await this.#deps.feed.refresh(), this.#deps.clock.now())
      await this.save()
    })
  }

  /** As a document of an earlier daemon says, while the file is broken. */
  restore(state: HookState): void {
    const { file, origin, pack, on, before, allowsErrors, lastRun, lastError } = state
    this.#seen = seenAt(state)
    const more = { ...(on && { on }), ...(before && { before }), ...(allowsErrors && { allowsErrors }) }
    this.#declare({ file, origin, pack, ...more })
    this.lastRun = lastRun
    this.lastError = lastError
  }

  /** Reads where the hook has been, here or on another host. */
  async open(): Promise<void> {
    if (this.#state !== 'closed') return
    this.#state = 'opening'
    const { epoch } = this
    const { states, feed, failures, onRelease } = this.#deps
    const isDone = await attempt(failures, async () => {
      const stored = await states.find(this.#key)
      const newest = await feed.refresh()
      const waiting = stored?.state.stopped === undefined ? undefined : await states.findWaiting(this.#key)
      if (epoch !== this.epoch) return
      this.#version = stored?.version
      this.#continue(stored?.state, newest, waiting)
      await this.save()
      await states.deleteWaiting(this.#key)
      if (epoch === this.epoch) this.#state = 'open'
    })
    if (isDone) return this.readStored()
    this.release()
    onRelease()
  }

  /** What waits is lost, unless it is stored. */
  release(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.epoch += 1
    this.#batch = undefined
    this.queue.clear()
  }

  readStored(): void {
    if (this.isOpen) inBackground(this.#deps.readFailures, () => this.#reader.read())
  }

  /** The same batch until it has been handled. */
  take(): Batch {
    this.#batch ??= this.queue.take()
    return this.#batch
  }

  /** The batch has been run, or the hook was due. */
  async handled(): Promise<void> {
    const hasStored = this.#batch && this.#reader.handled(this.#batch)
    this.#batch = undefined
    const now = this.#deps.clock.now()
    const isLate = now - this.#saved >= saveMilliseconds || (this.due ?? 0) - now >= saveMilliseconds
    if (hasStored || isLate) await attempt(this.#deps.failures, () => this.save())
    this.readStored()
  }

  /** So that the store knows that its file is there. */
  async saveSeen(): Promise<void> {
    if (this.isOpen) await this.save()
  }

  /** Before all hooks are asked how far they have come. */
  async saveCursor(): Promise<void> {
    if (this.isOpen && this.#reader.isAhead) await this.save()
  }

  /** One at a time: each needs the version of the one before. After a release what waited would count as handled. */
  save(more: Pick<HookState, 'stopped'> = {}): Promise<void> {
    const { epoch } = this
    const saved = this.#saving.then(() => (epoch === this.epoch ? this.#save(more) : undefined))
    this.#saving = saved.catch(() => {})
    return saved
  }

  async #save(more: Pick<HookState, 'stopped'>): Promise<void> {
    const { clock, states, onRelease } = this.#deps
    if (!this.#declared) return
    this.#saved = clock.now()
    const oldest = [this.queue.oldest, this.#batch?.gap?.since, this.#batch?.events[0]?.time]
    const handled = Math.min(this.#saved, ...oldest.filter(time => time !== undefined))
    const { due, lastRun, lastError } = this
    const cursor = this.#reader.cursor(this.#batch)
    const seen = this.#seen ?? this.#saved
    const state = { ...this.#declared, cursor, handled, seen, due, lastRun, lastError, ...more }
    const version = await states.save(this.#key, state, this.#version)
    if (version === undefined) {
      this.release()
      onRelease()
    } else this.#version = version
  }

  /** Stores what waits. When the store fails that is lost, and the hook gets `events-missing` after the start. */
  async close(): Promise<void> {
    if (!this.isOpen) return this.release()
    const { states, clock, failures } = this.#deps
    if (this.#batch?.gap) this.queue.addGap(this.#batch.gap)
    const cut = this.#batch?.events.filter(({ id }) => id === undefined) ?? []
    const { events, ...gap } = this.queue.unstored()
    await attempt(failures, async () => {
      await states.saveWaiting(this.#key, { ...gap, events: [...cut, ...events] })
      await this.save({ stopped: clock.now() })
    })
    this.release()
  }

  #declare(declared: Declared): void {
    this.#declared = declared
    this.#storedTypes = this.types.filter(isStoredType)
  }

  /** From the state that the store has, undefined for a new hook; `waiting` is what waited at an end in order. */
  #continue(state: HookState | undefined, newest: number, waiting: Waiting | undefined): void {
    const now = this.#deps.clock.now()
    const hadStored = state?.on?.some(isStoredType)
    this.#reader.startAfter(state && hadStored ? state.cursor : newest, state?.handled ?? now)
    this.due = state?.due
    this.lastRun = state?.lastRun
    this.lastError = state?.lastError
    if (!state || this.types.length === this.#storedTypes.length) return
    if (waiting) this.queue.addFirst(waiting)
    // After a crash, and while the other hosts had no leader.
    const since = waiting ? state.stopped : state.handled
    const isGap = !waiting || this.#deps.hasOtherHosts
    if (isGap && since !== undefined) this.queue.addGap({ since, until: now })
  }
}
