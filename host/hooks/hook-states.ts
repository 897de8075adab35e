// What the store keeps of hooks: how far each has come, which are paused, and what waited when the daemon ended.
import type { Documents } from '../../stores/store.ts'
import type { Gap, WaitingEvent } from './hook-queue.ts'

/** Times in milliseconds since 1970. */
export interface HookState {
  file: string
  /** See `LoadedFile`. */
  origin: string
  pack: string
  /** What it declares, for the time in which its file is broken. */
  on?: readonly string[]
  before?: readonly string[]
  allowsErrors?: true
  /** The last stored event that it has handled. */
  cursor: number
  /** When a host that has its file saved it last. */
  seen?: number
  /** Events of the bus before this time need not come again. */
  handled: number
  /** The daemon has ended in order, and stored what waited. */
  stopped?: number
  /** When it is to run next. */
  due?: number
  lastRun?: number
  lastError?: string
}

/** `digest`: of the version that has failed; absent when somebody has asked for it. */
export interface Pause {
  since: number
  reason: string
  digest?: string
}

/** The events of the bus that have not been handled, and what was lost before them. */
export interface Waiting {
  gap?: Gap
  events: readonly WaitingEvent[]
}

const pageSize = 200
/** Events in one document. */
const chunkSize = 500

const states = { pack: '', collection: 'hooks' }
const pauses = { pack: '', collection: 'hook-pauses' }
const waiting = { pack: '', collection: 'hook-events' }

export class HookStates {
  readonly #documents: Documents
  /** A file may come back while the state of the one before is deleted. */
  readonly #drops = new Map<string, Promise<void>>()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  async find(key: string): Promise<{ state: HookState; version: number } | undefined> {
    await this.#drops.get(key)
    const document = await this.#documents.find({ ...states, key })
    return document && { state: JSON.parse(document.value), version: document.version }
  }

  async list(): Promise<Map<string, HookState>> {
    await Promise.all(this.#drops.values())
    return this.#all<HookState>(states)
  }

  /** `version`: undefined for a document that does not exist yet. Undefined when another host has changed it. */
  async save(key: string, state: HookState, version: number | undefined): Promise<number | undefined> {
    const result = await this.#documents.put(
      { ...states, key, value: JSON.stringify(state) },
      { version: version ?? 0 },
    )
    return typeof result === 'number' ? result : undefined
  }

  /** Everything of a hook that is gone; `id` unless other hosts may have it. */
  drop(key: string, id?: string): Promise<void> {
    const drop = async () => {
      await this.#documents.delete({ ...states, key })
      await this.deleteWaiting(key)
      if (id !== undefined) await this.resume(id)
    }
    const dropped = drop().finally(() => this.#drops.delete(key))
    this.#drops.set(
      key,
      dropped.catch(() => {}),
    )
    return dropped
  }

  pauses(): Promise<Map<string, Pause>> {
    return this.#all<Pause>(pauses)
  }

  async pause(key: string, pause: Pause): Promise<void> {
    await this.#documents.put({ ...pauses, key, value: JSON.stringify(pause) })
  }

  async resume(key: string): Promise<void> {
    await this.#documents.delete({ ...pauses, key })
  }

  async saveWaiting(key: string, { gap, events }: Waiting): Promise<void> {
    const chunks: Waiting[] = gap ? [{ gap, events: [] }] : []
    for (let from = 0; from < events.length; from += chunkSize)
      chunks.push({ events: events.slice(from, from + chunkSize) })
    for (const [index, chunk] of chunks.entries())
      await this.#documents.put({ ...waiting, key: chunkKey(key, index), value: JSON.stringify(chunk) })
  }

  async findWaiting(key: string): Promise<Waiting> {
    const chunks = await this.#all<Waiting>(waiting, `${key}#`)
    const gap = [...chunks.values()].find(chunk => chunk.gap)?.gap
    return { ...(gap && { gap }), events: [...chunks.values()].flatMap(({ events }) => events) }
  }

  async deleteWaiting(key: string): Promise<void> {
    for (const chunk of (await this.#all(waiting, `${key}#`)).keys())
      await this.#documents.delete({ ...waiting, key: chunk })
  }

  async #all<Value>(collection: typeof states, prefix = ''): Promise<Map<string, Value>> {
    const values = new Map<string, Value>()
    let after: string | undefined
    for (;;) {
      const page = await this.#documents.list(collection, {
        limit: pageSize,
        prefix,
        ...(after !== undefined && { after }),
      })
      for (const { key, value } of page) values.set(key, JSON.parse(value))
      after = page.at(-1)?.key
      if (page.length < pageSize) return values
    }
  }
}

/** In the order of the index. */
const chunkKey = (key: string, index: number) => `${key}#${String(index).padStart(6, '0')}`

/** A hook that runs on each host has one state for each. */
export const idOf = (key: string) => key.split('@')[0] ?? key
export const hostOf = (key: string) => key.split('@')[1]

/** Milliseconds since 1970. */
export const seenAt = ({ seen, handled }: HookState): number => seen ?? handled
