// Wake-up entries: the computers that were sent a wake-up packet and have not connected yet.
import type { RemoteClients } from '../cluster/cluster.ts'
import type { ClientEntry } from '../contract/services.ts'
import type { Events } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'
import { lastCommands } from './client-state.ts'

interface WakeEntriesDeps {
  events: Events
  /** Seconds from the last wake-up to the end of an entry. */
  seconds: number
  /** Absent in a daemon that runs alone. */
  remote?: RemoteClients
  /** Whether the agent is connected to this host. */
  isLocal(addr: string): boolean
  onChange(): void
}

export class WakeEntries {
  readonly #deps: WakeEntriesDeps
  /** Oldest first. Adding an address again moves it to the end. */
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(deps: WakeEntriesDeps) {
    this.#deps = deps
    const { events, remote } = deps
    remote?.onMove((addr, client) => {
      if (client && this.#timers.has(addr)) this.remove(addr)
    })
    if (remote)
      events.on((event, isRelayed) => isRelayed && 'addr' in event && this.#addRelayed(event.addr), ['wake-sent'])
  }

  /** `kind`: how the packet is sent, which other hosts do as well. */
  add(addr: string, kind?: string): void {
    const { events, remote } = this.#deps
    this.#set(addr, () => events.emit({ type: 'wake-timed-out', addr }))
    events.emit({ type: 'wake-sent', addr, ...(remote && { kind }) })
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

  /** Adds what another host has sent, which reports the timeout; the host to which the client connects reports that. */
  #addRelayed(addr: string): void {
    const { events, remote, isLocal } = this.#deps
    // It has connected before the other host could know that.
    if (isLocal(addr)) events.emit({ type: 'wake-answered', addr })
    else if (!remote?.has(addr)) this.#set(addr)
  }

  #set(addr: string, onTimeout?: () => void): void {
    this.remove(addr)
    const end = () => {
      this.remove(addr)
      onTimeout?.()
    }
    this.#timers.set(addr, setTimeout(end, this.#deps.seconds * 1000).unref())
  }
}

const wakeEntry = (addr: string): ClientEntry => freeze({ addr, state: 'WOL_SENT', last_cmd: lastCommands.unknown })
