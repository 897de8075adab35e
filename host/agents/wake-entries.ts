// Wake-up entries: the computers that were sent a wake-up packet and have not connected yet.
import type { ClientEntry } from '../services.ts'
import type { Events } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'
import { lastCommands } from './client-state.ts'

export interface WakeEntriesDeps {
  events: Events
  /** Seconds from the last wake-up to the end of an entry. */
  seconds: number
  onChange(): void
}

export class WakeEntries {
  readonly #deps: WakeEntriesDeps
  /** Oldest first. Adding an address again moves it to the end. */
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(deps: WakeEntriesDeps) {
    this.#deps = deps
  }

  add(addr: string): void {
    const { events, seconds } = this.#deps
    this.remove(addr)
    const onTimeout = () => {
      this.remove(addr)
      events.emit({ type: 'wake-timed-out', addr })
    }
    this.#timers.set(addr, setTimeout(onTimeout, seconds * 1000).unref())
    events.emit({ type: 'wake-sent', addr })
  }

  /** Returns whether there was an entry. */
  remove(addr: string): boolean {
    clearTimeout(this.#timers.get(addr))
    this.#deps.onChange()
    return this.#timers.delete(addr)
  }

  /** Latest first. */
  list(): ClientEntry[] {
    return Array.from(this.#timers.keys(), wakeEntry).reverse()
  }

  close(): void {
    for (const addr of this.#timers.keys()) this.remove(addr)
  }
}

const wakeEntry = (addr: string): ClientEntry => freeze({ addr, state: 'WOL_SENT', last_cmd: lastCommands.unknown })
