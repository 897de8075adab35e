// Decides which connections of agents are kept: those that the options allow and limit, and no more than the process
// has file descriptors for.
import type { Socket } from 'node:net'
import type { RemoteClients } from '../../cluster/cluster.ts'
import type { Options } from '../../config/options.ts'
import type { Log } from '../../log/log.ts'
import type { Events, FleetEvent } from '../../system/events.ts'
import { networksOf } from '../../system/networks.ts'
import { descriptorLimit, openDescriptors } from '../../system/process/descriptors.ts'
import { Counts } from '../../system/throttle.ts'
import { RefusedClients } from './refused-clients.ts'

interface AdmissionDeps {
  log: Log
  events: Events
  options: Options['agents']
  /** The clients of other hosts; absent without others. */
  remote?: RemoteClients
  /** Other numbers for tests. */
  descriptors?: typeof processDescriptors
  /** The time in milliseconds; tests set it. */
  now?: () => number
}

/** Why a connection is refused: the option of `agents`, or the limit of the process, and one line for the log. */
type Rejection = [limit: (keyof Options['agents'] & string) | 'descriptors', reason: string]

const processDescriptors = { limit: descriptorLimit, open: () => openDescriptors(0) }

/** Milliseconds between two counts of the open descriptors; meanwhile the connections of agents are counted. */
const countInterval = 1000

/** File descriptors that are left to the store, callers and command files; of a low limit it is the half. */
const reservedDescriptors = 512

/** Refused addresses without a computer record that are reported within a minute: 10,000 events of all kinds are kept. */
const maxReports = 300
/** The key of their count. */
const withoutRecord = 'without record'

/** Replacements within a minute that no restart of a computer or its agent causes. */
const flapping = 3

export class Admission {
  readonly refused = new RefusedClients()
  readonly #deps: AdmissionDeps
  /** Addresses of computer records. */
  readonly #records = new Set<string>()
  readonly #connected = new Set<string>()
  /** Those of `#connected`, and the clients of other hosts, that have no computer record. */
  readonly #unknown = new Set<string>()
  /** By address: new connections that were admitted, refused ones, and those that replaced the older one. */
  readonly #admitted: Counts
  readonly #refused: Counts
  readonly #replaced: Counts
  readonly #descriptors: typeof processDescriptors
  /** Most descriptors that are open when a connection is kept. */
  readonly #maxDescriptors: number
  /** The descriptors that are not agents' connections, as counted at `#countedAt`. */
  #otherDescriptors = 0
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(deps: AdmissionDeps) {
    const { events, remote, descriptors = processDescriptors, now } = deps
    this.#deps = deps
    remote?.onMove(addr => this.#countUnknown(addr))
    this.#admitted = new Counts({ now })
    this.#refused = new Counts({ now })
    this.#replaced = new Counts({ now })
    this.#descriptors = descriptors
    const limit = descriptors.limit()
    this.#maxDescriptors = limit - Math.min(reservedDescriptors, limit / 2)
    const connections = ['client-connected', 'client-gone', 'client-replaced'] as const
    const records = ['computer-added', 'computer-changed', 'computer-removed'] as const
    events.on(event => this.#update(event), [...connections, ...records])
  }

  /** Adds the computers of the store; events report later ones. */
  addComputers(computers: readonly { ip: string }[]): void {
    for (const { ip } of computers) this.#setRecord(ip, true)
  }

  /** Events were lost: `computers` are all that there are. */
  setComputers(computers: readonly { ip: string }[]): void {
    const stored = new Set(computers.map(({ ip }) => ip))
    for (const ip of this.#records) if (!stored.has(ip)) this.#setRecord(ip, false)
    this.addComputers(computers)
  }

  hasRecord(addr: string): boolean {
    return this.#records.has(addr)
  }

  /** Whether a new connection may be kept; otherwise it is closed at once. */
  admit(addr: string, socket: Socket): boolean {
    const rejection = this.#rejection(addr)
    if (!rejection) return this.#admitted.add(addr) > 0
    socket.destroy()
    this.#report(addr, rejection)
    return false
  }

  #rejection(addr: string): Rejection | undefined {
    const { unknown, connections, connections_per_minute: perMinute } = this.#deps.options
    const missing = this.#missing(addr)
    if (missing !== undefined) return ['allow', `it has ${missing} (agents.allow)`]
    if (this.#admitted.count(addr) >= perMinute) {
      const reason = `it has connected ${perMinute} times within a minute (agents.connections_per_minute)`
      return ['connections_per_minute', reason]
    }
    // It replaces the older connection of this address.
    if (this.#connected.has(addr)) return undefined
    if (this.#connected.size >= connections) {
      return ['connections', `${connections} connections are open (agents.connections)`]
    }
    if (!this.hasRecord(addr) && this.#unknown.size >= unknown) {
      return ['unknown', `it has no computer record, and ${unknown} such connections are open (agents.unknown)`]
    }
    const open = this.#openDescriptors()
    if (open < this.#maxDescriptors) return undefined
    const limit = this.#descriptors.limit()
    return ['descriptors', `${open} of ${limit} file descriptors are open, the others are reserved`]
  }

  /** What an address lacks that the option `allow` demands. */
  #missing(addr: string): string | undefined {
    const { allow } = this.#deps.options
    if (allow === 'any') return undefined
    if (allow === 'known') return this.hasRecord(addr) ? undefined : 'no computer record'
    return networksOf(allow).has(addr) ? undefined : 'no address of the listed networks'
  }

  /** Logs and emits the first refusal of an address within a minute. */
  #report(addr: string, [limit, reason]: Rejection): void {
    const { log, events } = this.#deps
    this.refused.add(addr, { limit, reason }, this.hasRecord(addr))
    if (this.#refused.add(addr) > 1) return
    const reports = this.hasRecord(addr) ? 0 : this.#refused.add(withoutRecord)
    if (reports > maxReports) return
    const more =
      reports === maxReports ? '; further addresses without a record are only counted for up to a minute' : ''
    log.warn('agents', `connection from ${addr} closed: ${reason}${more}`)
    events.emit({ type: 'client-refused', addr, reason })
  }

  /** Logs two lines a minute at most for each address. */
  #reportReplacement(addr: string): void {
    const { log } = this.#deps
    const count = this.#replaced.add(addr)
    if (count === 1) log.info(`agent ${addr}`, 'connected again, older connection closed')
    if (count !== flapping) return
    const problem = `flapping: ${count} connections replaced within a minute`
    log.warn(`agent ${addr}`, `${problem}; do two programs or computers use this address?`)
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
        break
      case 'client-gone':
        this.#connected.delete(event.addr)
        break
      case 'client-replaced':
        this.#reportReplacement(event.addr)
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
    if ('addr' in event) this.#countUnknown(event.addr)
  }

  /** The store ignores unknown addresses. */
  #move(addrs: readonly string[], ip: string): void {
    for (const addr of addrs.filter(each => this.hasRecord(each))) {
      this.#setRecord(addr, false)
      this.#setRecord(ip, true)
    }
  }

  #setRecord(addr: string, exists: boolean): void {
    this.#records[exists ? 'add' : 'delete'](addr)
    this.#countUnknown(addr)
  }

  #countUnknown(addr: string): void {
    const isUnknown = (this.#connected.has(addr) || this.#deps.remote?.has(addr)) && !this.hasRecord(addr)
    this.#unknown[isUnknown ? 'add' : 'delete'](addr)
  }
}
