// Compares the hardware addresses of computers that connect with their records. The kernel's neighbour table has those of
// the server's own segments; other computers are not judged.
import { readFile } from 'node:fs/promises'
import type { Store } from '../../stores/store.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { Counts } from '../system/throttle.ts'
import { createPause } from '../system/time-slices.ts'

interface NeighbourDeps {
  log: Log
  events: Events
  store: { computers: Pick<Store['computers'], 'findMany'> }
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  /** The file of the neighbour table; tests name another one. */
  table?: string | undefined
  /** The least time between two looks at the table. */
  milliseconds?: number
}

/** Milliseconds of work in one event-loop tick. */
const workPerTick = 5

export class Neighbours {
  readonly #deps: NeighbourDeps
  readonly #reports = new Counts()
  /** Computers that have connected since the last look at the table. */
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Whether the last look at the table failed. */
  #isFailing = false
  #isClosed = false

  constructor(deps: NeighbourDeps) {
    this.#deps = deps
    deps.events.on(
      event => {
        if (event.type === 'client-connected') this.add(event.addr)
        else if (event.type === 'clients-adopted') for (const addr of event.addrs) this.add(addr)
      },
      ['client-connected', 'clients-adopted'],
    )
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Compares the client's hardware address soon, if it has a record. */
  add(addr: string): void {
    const { hasRecord, milliseconds = 1000 } = this.#deps
    if (this.#isClosed || !hasRecord(addr)) return
    this.#waiting.add(addr)
    this.#timer ??= setTimeout(() => void this.#checkWaiting(), milliseconds).unref()
  }

  async #checkWaiting(): Promise<void> {
    const addrs = this.#waiting
    this.#waiting = new Set()
    try {
      await this.#check(addrs)
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) {
        this.#deps.log.warn('agents', `hardware addresses not compared with the records: ${message(error)}`)
      }
      this.#isFailing = true
    }
    this.#timer = undefined
    for (const addr of this.#waiting) this.add(addr)
  }

  async #check(addrs: Iterable<string>): Promise<void> {
    const { table, store } = this.#deps
    const macs = await readNeighbourTable(table)
    const pause = createPause(workPerTick)
    const neighbours = [...addrs].filter(addr => macs.has(addr))
    if (neighbours.length === 0) return
    for (const { ip, mac } of await store.computers.findMany(neighbours)) {
      this.#compare(ip, macs.get(ip) ?? [], mac.toLowerCase())
      await pause()
    }
  }

  #compare(addr: string, macs: string[], recorded: string): void {
    const [mac] = macs
    if (mac === undefined || macs.includes(recorded) || this.#reports.add(addr) > 1) return
    const { log, events } = this.#deps
    log.warn(`agent ${addr}`, `hardware address: expected ${recorded} as in its record, got ${mac}`)
    events.emit({ type: 'mac-differs', addr, mac, recorded_mac: recorded })
  }
}

/** Of the computers on the server's own segments. */
const kernelTable = '/proc/net/arp'

/** An entry of Ethernet or wireless networks: address, flags, hardware address. */
const entry = /^(\S+) +0x1 +(0x[\da-f]+) +((?:[\da-f]{2}:){5}[\da-f]{2}) /gm
/** The flag of an entry whose hardware address is known. */
const complete = 0x2

/**
 * Maps each address to its hardware addresses, 12 hex digits each: one for each network interface of the server.
 * Rejects when the table cannot be read.
 */
export async function readNeighbourTable(file = kernelTable): Promise<Map<string, string[]>> {
  const text = await readFile(file, 'utf8')
  const macs = new Map<string, string[]>()
  for (const [, addr = '', flags, mac = ''] of text.matchAll(entry)) {
    if ((Number(flags) & complete) === 0) continue
    const others = macs.get(addr) ?? []
    macs.set(addr, [...others, mac.replaceAll(':', '').toLowerCase()])
  }
  return macs
}
