// One stream of events for all readers with the same filter, rights and period: of the states of a client it sends only
// the newest one in each period, all other events at once.
import type { Rights } from '../contract/services.ts'
import type { EventLog } from './event-log.ts'
import { type LoggedEvent, type Matches, selects, textFor } from './event-text.ts'
import { clientsOf } from './room-map.ts'

// Ids: a reader that reconnects names the last `id:` that it was sent, and gets all events after it. While a state is held
// back, later events are therefore sent without `id:`; the last state of a period brings the id up to which everything was
// sent. So ids never go backwards, and a reader that reconnects may get events again, but misses none.

export interface FeedReader {
  /** The index of the next text for it, counted from the first text of its feed. */
  position: number
  wake(): void
}

export interface FeedText {
  text: string
  /** The id up to which readers of this text have everything. */
  covered: number
}

export interface FeedDeps {
  log: EventLog
  matches: Matches
  period: number
  /** Characters of texts that are kept for readers that are behind. */
  characters: number
}

/** Characters after which a text ends. */
const textCharacters = 64 * 1024

export class CoalescedFeed {
  readonly readers = new Set<FeedReader>()
  /** Those of its readers. */
  rights: Rights
  /** The newest state of each client that is held back, in the order of the ids. */
  readonly #held = new Map<string, LoggedEvent>()
  /** Texts that a reader still needs. */
  readonly #texts: FeedText[] = []
  /** The position of the first of them. */
  #first = 0
  #characters = 0
  /** The id of the last event that was read from the log. */
  #last: number
  #covered: number
  #timer: NodeJS.Timeout | undefined
  #hasPeriodEnded = false
  readonly #deps: FeedDeps

  constructor(deps: FeedDeps, start: number, rights: Rights) {
    this.#deps = deps
    this.#last = start
    this.#covered = start
    this.rights = rights
  }

  /** Adds a reader that has all events up to `released`; it may get states again that are held back for others. */
  join(reader: FeedReader, released: number): void {
    while (this.#last < released) this.advance(released)
    reader.position = this.#first + this.#texts.length
    this.readers.add(reader)
  }

  /** Whether the texts from this position on are still there. */
  has(position: number): boolean {
    return position >= this.#first
  }

  /** The text at a position, undefined when there is none yet. */
  take(position: number, released: number): FeedText | undefined {
    if (position === this.#first + this.#texts.length) this.advance(released)
    return this.#texts[position - this.#first]
  }

  /** Reads as many events as fit into the texts that are kept: the log drops them after that. */
  save(released: number): void {
    while (this.#last < released && this.#characters < this.#deps.characters) this.advance(released)
  }

  /** Reads events up to `released` from the log, and adds one text with what is to be sent of them. */
  advance(released: number): void {
    const { log } = this.#deps
    let text = ''
    if (this.#last + 1 < log.oldest) {
      text = this.#sendHeld() + log.missing(String(this.#last))
      this.#last = log.oldest - 1
    }
    while (this.#last < released && text.length < textCharacters) {
      this.#last += 1
      const entry = log.at(this.#last)
      if (entry?.event.type === 'client-state') this.#hold(entry, entry.event.addr)
      else if (entry) text += this.#send(entry)
    }
    if (this.#hasPeriodEnded && this.#last === released) text += this.#sendHeld()
    if (this.#held.size === 0) this.#covered = this.#last
    if (text !== '') this.#add(text)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #hold(entry: LoggedEvent, addr: string): void {
    if (!selects(entry, this.#deps.matches, this.rights)) return
    this.#held.delete(addr)
    this.#held.set(addr, entry)
    this.#timer ??= setTimeout(() => this.#endPeriod(), this.#deps.period).unref()
  }

  #endPeriod(): void {
    this.#timer = undefined
    this.#hasPeriodEnded = true
    for (const reader of this.readers) reader.wake()
  }

  /** The event, after the states of its clients. */
  #send(entry: LoggedEvent): string {
    const text = textFor(entry, this.#deps.matches, this.rights)
    if (text === '') return ''
    let before = ''
    if (this.#held.size > 0) {
      for (const addr of clientsOf(entry.event)) {
        const state = this.#held.get(addr)
        if (state && this.#held.delete(addr)) before += this.#textOf(state)
      }
    }
    return before + (this.#held.size > 0 ? withoutId(text) : text)
  }

  /** All states that are held back, the last one with the id up to which everything is sent then. */
  #sendHeld(): string {
    this.#hasPeriodEnded = false
    let text = ''
    let last = ''
    for (const state of this.#held.values()) {
      text += last
      last = this.#textOf(state) || last
    }
    this.#held.clear()
    return last === '' ? '' : `${text}id: ${this.#last}\n${last}`
  }

  /** Without `id:`; '' when the rights have changed meanwhile. */
  #textOf(state: LoggedEvent): string {
    return withoutId(textFor(state, this.#deps.matches, this.rights))
  }

  #add(text: string): void {
    this.#texts.push({ text, covered: this.#covered })
    this.#characters += text.length
    const needed = Math.min(...Array.from(this.readers, ({ position }) => position))
    while (this.#texts.length > 1 && (this.#first < needed || this.#characters > this.#deps.characters)) {
      this.#characters -= this.#texts.shift()?.text.length ?? 0
      this.#first += 1
    }
  }
}

/** Every text begins with the line of its id. */
const withoutId = (text: string): string => text.slice(text.indexOf('\n') + 1)
