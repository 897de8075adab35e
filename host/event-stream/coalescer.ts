// Of the states of a client a reader with a period gets only the newest one in each period, all other events at once.
// States that come when none has for a period are sent at once, too: a page shows a single change without a delay.
import type { Rights } from '../contract/services.ts'
import type { ParsedFilter } from './caller-filter.ts'
import { chunkCharacters, type EventLog } from './event-log.ts'
import { type LoggedEvent, selects, textFor } from './event-text.ts'
import { clientsOf } from './room-map.ts'

// Ids: a reader that reconnects names the last `id:` that it was sent, and gets all events after it. While a state is held
// back, later events are therefore sent without `id:`; the last state of a period brings the id up to which everything was
// sent. So ids never go backwards, and a reader that reconnects may get events again, but misses none.

export class Coalescer {
  readonly #log: EventLog
  readonly #filter: ParsedFilter
  /** Called when the states that are held back are to be read. */
  readonly #onPeriodEnd: () => void
  /** The newest state of each client that is held back, in the order of the ids. */
  readonly #waiting = new Map<string, LoggedEvent>()
  #timer: NodeJS.Timeout | undefined
  #hasPeriodEnded = false

  constructor(log: EventLog, filter: ParsedFilter, onPeriodEnd: () => void) {
    this.#log = log
    this.#filter = filter
    this.#onPeriodEnd = onPeriodEnd
  }

  /** As `EventLog.chunk`. */
  chunk(id: number, end: number, rights: Rights): { text: string; last: number } {
    let text = ''
    let last = id
    if (last + 1 < this.#log.oldest) {
      text = this.#sendWaiting(last, rights) + this.#log.missing(String(last))
      last = this.#log.oldest - 1
    }
    while (last < end && text.length < chunkCharacters) {
      last += 1
      const entry = this.#log.at(last)
      if (entry?.event.type === 'client-state') this.#hold(entry, entry.event.addr, rights)
      else if (entry) text += this.#send(entry, rights)
    }
    if (this.#hasPeriodEnded && last >= end) text += this.#sendWaiting(last, rights)
    return { text, last }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #hold(entry: LoggedEvent, addr: string, rights: Rights): void {
    const { matches, period } = this.#filter
    if (!selects(entry, matches, rights)) return
    this.#waiting.delete(addr)
    this.#waiting.set(addr, entry)
    if (this.#timer) return
    this.#hasPeriodEnded = true
    this.#timer = setTimeout(() => this.#endPeriod(), period).unref()
  }

  #endPeriod(): void {
    this.#timer = undefined
    if (this.#waiting.size === 0) return
    this.#hasPeriodEnded = true
    this.#timer = setTimeout(() => this.#endPeriod(), this.#filter.period).unref()
    this.#onPeriodEnd()
  }

  /** The event, after the states of its clients. */
  #send(entry: LoggedEvent, rights: Rights): string {
    const text = textFor(entry, this.#filter.matches, rights)
    if (text === '' || this.#waiting.size === 0) return text
    let before = ''
    for (const addr of clientsOf(entry.event)) {
      const state = this.#waiting.get(addr)
      if (state && this.#waiting.delete(addr)) before += this.#textOf(state, rights)
    }
    return before + (this.#waiting.size > 0 ? withoutId(text) : text)
  }

  /** All states that are held back, the last one with the id up to which everything is sent then. */
  #sendWaiting(id: number, rights: Rights): string {
    this.#hasPeriodEnded = false
    let text = ''
    let last = ''
    for (const state of this.#waiting.values()) {
      text += last
      last = this.#textOf(state, rights) || last
    }
    this.#waiting.clear()
    return last === '' ? '' : `${text}id: ${id}\n${last}`
  }

  /** Without `id:`; '' when the rights have changed meanwhile. */
  #textOf(state: LoggedEvent, rights: Rights): string {
    return withoutId(textFor(state, this.#filter.matches, rights))
  }
}

/** Every text begins with the line of its id. */
const withoutId = (text: string): string => text.slice(text.indexOf('\n') + 1)
