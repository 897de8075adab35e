// Decides which connections are kept: those of computers with a record, others up to a limit, and no more than the
// process has file descriptors for.
import type { Socket } from 'node:net'
import { descriptorLimit, openDescriptors } from '../system/descriptors.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { type LimitedLog, limitLog } from '../system/limited-log.ts'
import type { Log } from '../system/log.ts'

export interface AdmissionDeps {
  log: Log
  events: Events
  /** Option `agents.unknown`: most connections from addresses without a computer record. */
  options: { unknown: number }
  /** Other numbers for tests. */
  descriptors?: typeof processDescriptors
}

const processDescriptors = { limit: descriptorLimit, open: () => openDescriptors(0) }

/** Milliseconds between two counts of the open descriptors; meanwhile the connections of agents are counted. */
const countInterval = 1000

/** File descriptors that are left to the store, callers and command files; of a low limit it is the half. */
const reservedDescriptors = 512

export class Admission {
  readonly #options: AdmissionDeps['options']
  readonly #log: LimitedLog
  /** Addresses of computer records. */
  readonly #records = new Set<string>()
  readonly #connected = new Set<string>()
  /** Those of `#connected` that have no computer record. */
  readonly #unknown = new Set<string>()
  readonly #descriptors: typeof processDescriptors
  /** Most descriptors that are open when a connection is kept. */
  readonly #maxDescriptors: number
  /** The descriptors that are not agents' connections, as counted at `#countedAt`. */
  #otherDescriptors = 0
  #countedAt = Number.NEGATIVE_INFINITY

  constructor({ log, events, options, descriptors = processDescriptors }: AdmissionDeps) {
    this.#options = options
    this.#log = limitLog(log)
    this.#descriptors = descriptors
    const limit = descriptors.limit()
    this.#maxDescriptors = limit - Math.min(reservedDescriptors, limit / 2)
    events.on(
      event => this.#update(event),
      ['client-connected', 'client-gone', 'computer-added', 'computer-changed', 'computer-removed'],
    )
  }

  /** Adds the computers of the store; events report later ones. */
  addComputers(computers: readonly { ip: string }[]): void {
    for (const { ip } of computers) this.#setRecord(ip, true)
  }

  hasRecord(addr: string): boolean {
    return this.#records.has(addr)
  }

  /** Whether a new connection may be kept; otherwise it is closed at once. */
  admit(addr: string, socket: Socket): boolean {
    const reason = this.#refusal(addr)
    if (reason === undefined) return true
    socket.destroy()
    // One key for all addresses: each may come once only.
    this.#log('refused').warn('agents', `connection from ${addr} closed: ${reason}`)
    return false
  }

  #refusal(addr: string): string | undefined {
    // It replaces the older connection of this address.
    if (this.#connected.has(addr)) return undefined
    const { unknown } = this.#options
    if (!this.hasRecord(addr) && this.#unknown.size >= unknown) {
      return `it has no computer record, and ${unknown} such connections are open (agents.unknown)`
    }
    const open = this.#openDescriptors()
    if (open < this.#maxDescriptors) return undefined
    return `${open} of ${this.#descriptors.limit()} file descriptors are open, the others are reserved`
  }

  #openDescriptors(): number {
    const now = performance.now()
    if (now - this.#countedAt >= countInterval) {
      this.#countedAt = now
      this.#otherDescriptors = this.#descriptors.open() - this.#connected.size
    }
    return this.#otherDescriptors + this.#connected.size
  }

  #update(event: FleetEvent): void {
    switch (event.type) {
      case 'client-connected':
        this.#connected.add(event.addr)
        if (!this.hasRecord(event.addr)) this.#unknown.add(event.addr)
        break
      case 'client-gone':
        this.#connected.delete(event.addr)
        this.#unknown.delete(event.addr)
        break
      case 'computer-added':
        this.addComputers(event.computers)
        break
      case 'computer-changed':
        if (event.ip !== undefined) this.#move(event.addrs, event.ip)
        break
      case 'computer-removed':
        for (const { ip } of event.computers) this.#setRecord(ip, false)
    }
  }

  /** The store ignores unknown addresses. */
  #move(addrs: readonly string[], ip: string): void {
    for (const addr of addrs.filter(each => this.hasRecord(each))) {
      this.#setRecord(addr, false)
      this.#setRecord(ip, true)
    }
  }

  #setRecord(addr: string, exists: boolean): void {
    if (exists) this.#records.add(addr)
    else this.#records.delete(addr)
    if (exists) this.#unknown.delete(addr)
    else if (this.#connected.has(addr)) this.#unknown.add(addr)
  }
}
