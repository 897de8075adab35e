// Reads what all hosts have published, in its order.
import type { ClusterEvent, Publications } from '../../stores/store.ts'
import type { Mirror } from './mirror.ts'

export interface FeedReaderDeps {
  /** The name of this host, whose presence is not read. */
  name: string
  news: Pick<Publications, 'read' | 'newest'>
  mirror: Pick<Mirror, 'apply' | 'clear'>
  onEvent(event: ClusterEvent): void
}

/** Events of one read. */
const pageEvents = 1000

export class FeedReader {
  readonly #deps: FeedReaderDeps
  #version = 0
  /** The id of the last event. */
  #event = 0
  #mustClear = false
  #running: Promise<void> = Promise.resolve()
  /** The read that has not begun yet: it also serves those who ask for one now. */
  #next: Promise<void> | undefined

  constructor(deps: FeedReaderDeps) {
    this.#deps = deps
  }

  /** Reads the presence and the newest events, which go to `onEvent` as those after them. */
  async start(history: number): Promise<void> {
    const { first } = await this.#deps.news.newest(history)
    this.#event = Math.max(0, first - 1)
    await this.readAll()
  }

  /** Reads everything that was published before the call; rejects when it cannot. */
  readAll(): Promise<void> {
    if (!this.#next) {
      const next = this.#running
        .catch(() => {})
        .then(() => {
          this.#next = undefined
          return this.#read()
        })
      this.#next = next
      this.#running = next
    }
    return this.#next
  }

  /** The next read begins with the whole presence again; with `forget` in place of what is known of it. */
  rereadPresence({ forget }: { forget: boolean }): void {
    this.#version = 0
    this.#mustClear ||= forget
  }

  async #read(): Promise<void> {
    const { name, news, mirror, onEvent } = this.#deps
    for (;;) {
      const version = this.#version
      const result = await news.read({ version, event: this.#event, limit: pageEvents, except: name })
      // The database has lost the presence, and its versions with it; or it is to be read again.
      const isOutdated = result.version < version || this.#version !== version
      if (this.#mustClear && version === 0) {
        this.#mustClear = false
        mirror.clear()
      }
      mirror.apply(result.agents)
      this.#version = isOutdated ? 0 : result.version
      for (const event of result.events) {
        this.#event = event.id
        onEvent(event)
      }
      if (result.events.length < pageEvents && !isOutdated) return
    }
  }
}
