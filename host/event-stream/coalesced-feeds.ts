// The feeds of the readers with a period, shared by those that get the same.
import type { Rights } from '../contract/services.ts'
import { CoalescedFeed, type FeedDeps, type FeedReader } from './coalesced-feed.ts'
import type { ParsedFilter } from './event-filter.ts'

export interface CoalescedReader extends FeedReader {
  filter: ParsedFilter
  rights: Rights
  /** The id up to which it has everything. */
  last: number
  /** Undefined while it reads from the log itself. */
  feed: CoalescedFeed | undefined
}

export class CoalescedFeeds {
  readonly #deps: Pick<FeedDeps, 'log' | 'characters'>
  readonly #feeds = new Map<string, CoalescedFeed>()

  constructor(deps: Pick<FeedDeps, 'log' | 'characters'>) {
    this.#deps = deps
  }

  /** The next text of a reader with a period, '' for none; undefined when it must first read from the log. */
  next(reader: CoalescedReader, released: number): string | undefined {
    const key = keyOf(reader)
    // Its rights have changed, or it is behind and its texts are no longer there.
    if (reader.feed && (this.#feeds.get(key) !== reader.feed || !reader.feed.has(reader.position))) this.leave(reader)
    // Behind, or ahead of this host of the fleet.
    if (!reader.feed && reader.last !== released) return undefined
    const feed = reader.feed ?? this.#join(reader, key, released)
    feed.rights = reader.rights
    const next = feed.take(reader.position, released)
    if (!next) return ''
    reader.position += 1
    reader.last = Math.max(reader.last, next.covered)
    return next.text
  }

  leave(reader: CoalescedReader): void {
    const { feed } = reader
    reader.feed = undefined
    feed?.readers.delete(reader)
    if (feed?.readers.size !== 0) return
    feed.close()
    for (const [key, each] of this.#feeds) if (each === feed) this.#feeds.delete(key)
  }

  /** To be called before the log drops events. */
  save(released: number): void {
    for (const feed of this.#feeds.values()) feed.save(released)
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close()
  }

  #join(reader: CoalescedReader, key: string, released: number): CoalescedFeed {
    const { filter, rights } = reader
    const deps = { ...this.#deps, matches: filter.matches, period: filter.period }
    const feed = this.#feeds.get(key) ?? new CoalescedFeed(deps, released, rights)
    this.#feeds.set(key, feed)
    feed.join(reader, released)
    reader.feed = feed
    return feed
  }
}

const keyOf = ({ filter, rights }: CoalescedReader): string =>
  `${filter.period} ${rights.isLimited ? rights.reference : ''} ${filter.key}`
