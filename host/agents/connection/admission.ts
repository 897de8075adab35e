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

export interface AdmissionDeps {
  log: Log
  events: Events
  options: Options['agents']
  /** The clients of other hosts of the fleet; absent without others. */
  remote?: RemoteClients
  /** Other numbers for tests. */
  descriptors?: typeof processDescriptors
  /** The time in milliseconds; tests set it. */
  now?: () => number
}

/** Why a connection is refused: the option of `agents`, or the limit of the process, and one line for the log. */
interface Rejection {
  limit: keyof Options['agents'] | 'descriptors'
  reason: string
}

const reject = (limit: Rejection['limit'], reason: string): Rejection => ({ limit, reason })

const processDescriptors = { limit: descriptorLimit, open: () => openDescriptors(0) }

/** Milliseconds between two counts of the open descriptors; meanwhile the connections of agents are counted. */
const countInterval = 1000

/** File descriptors that are left to the store, callers and command files; of a low limit it is the half. */
const reservedDescriptors = 512

/** Refused addresses without a computer record that are reported within a minute: 10,000 events of all kinds are kept. */
const maxReports = 300
/** The key of their count. */
const withoutRecord = 'without record'

export class Admission {
  readonly #options: Options['agents']
  readonly #log: Log
  readonly #events: Events
  /** Addresses of computer records. */
  readonly #records = new Set<string>()
  readonly #connected = new Set<string>()
  /** Those of `#connected`, and the clients of other hosts, that have no computer record. */
  readonly #unknown = new Set<string>()
  readonly #remote: RemoteClients | undefined
  /** New connections that were kept, by address. */
  readonly #kept: Counts
  /** Refused connections, by address. */
  readonly #refused: Counts
  /** How many connections were refused, by limit. */
  readonly #refusals = new Map<string, number>()
  readonly #descriptors: typeof processDescriptors
  /** Most descriptors that are open when a connection is kept. */
  readonly #maxDescriptors: number
  /** The descriptors that are not agents' connections, as counted at `#countedAt`. */
  #otherDescriptors = 0
  #countedAt = Number.NEGATIVE_INFINITY

  constructor({ log, events, options, remote, descriptors = processDescriptors, now }: AdmissionDeps) {
    this.#options = options
    this.#log = log
    this.#events = events
    this.#remote = remote
    remote?.onHeld(addr => this.#countUnknown(addr))
    this.#kept = new Counts({ now })
    this.#refused = new Counts({ now })
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

  /** Events were lost: `computers` are all that there are. */
  setComputers(computers: readonly { ip: string }[]): void {
    const stored = new Set(computers.map(({ ip }) => ip))
    for (const ip of this.#records) if (!stored.has(ip)) this.#setRecord(ip, false)
    this.addComputers(computers)
  }

  hasRecord(addr: string): boolean {
    return this.#records.has(addr)
  }

  /** How many connections were refused, by the option or limit that refused them. */
  refusals(): ReadonlyMap<string, number> {
    return this.#refusals
  }

  /** Whether a new connection may be kept; otherwise it is closed at once. */
  admit(addr: string, socket: Socket): boolean {
    const rejection = this.#rejection(addr)
    if (rejection) {
      socket.destroy()
      this.#report(addr, rejection)
      return false
    }
    this.#kept.add(addr)
    return true
  }

  #rejection(addr: string): Rejection | undefined {
    const { unknown, connections, connections_per_minute: perMinute } = this.#options
    const missing = this.#missing(addr)
    if (missing !== undefined) return reject('allow', `it has ${missing} (agents.allow)`)
    if (this.#kept.count(addr) >= perMinute) {
      return reject(
        'connections_per_minute',
        `it has connected ${perMinute} times within a minute (agents.connections_per_minute)`,
      )
    }
    // It replaces the older connection of this address.
    if (this.#connected.has(addr)) return undefined
    if (this.#connected.size >= connections) {
      return reject('connections', `${connections} connections are open (agents.connections)`)
    }
    if (!this.hasRecord(addr) && this.#unknown.size >= unknown) {
      return reject('unknown', `it has no computer record, and ${unknown} such connections are open (agents.unknown)`)
    }
    const open = this.#openDescriptors()
    if (open < this.#maxDescriptors) return undefined
    const limit = this.#descriptors.limit()
    return reject('descriptors', `${open} of ${limit} file descriptors are open, the others are reserved`)
  }

  /** What an address lacks that the option `allow` demands. */
  #missing(addr: string): string | undefined {
    const { allow } = this.#options
    if (allow === 'any') return undefined
    if (allow === 'known') return this.hasRecord(addr) ? undefined : 'no computer record'
    return networksOf(allow).has(addr) ? undefined : 'no address of the listed networks'
  }

  /** Logs and emits the first refusal of an address within a minute. */
  #report(addr: string, { limit, reason }: Rejection): void {
    this.#refusals.set(limit, (this.#refusals.get(limit) ?? 0) + 1)
    if (this.#refused.add(addr) > 1) return
    const reports = this.hasRecord(addr) ? 0 : this.#refused.add(withoutRecord)
    if (reports > maxReports) return
    const more =
      reports === maxReports ? '; further addresses without a record are only counted for up to a minute' : ''
    this.#log.warn('agents', `connection from ${addr} closed: ${reason}${more}`)
    this.#events.emit({ type: 'client-refused', addr, reason })
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
    const isUnknown = (this.#connected.has(addr) || this.#remote?.has(addr)) && !this.hasRecord(addr)
    this.#unknown[isUnknown ? 'add' : 'delete'](addr)
  }
}
