// The clients of the other hosts, as the fleet's presence has them.
import type { MemberHost, PresenceRow } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import type { RemoteClient, RemoteClients } from './cluster.ts'
import { ListenerSet } from './listener-set.ts'

interface RemoteConnection {
  epoch: number
  client: RemoteClient
}

const latestFirst = (a: RemoteClient, b: RemoteClient) => b.since - a.since

export class RemoteAgents implements RemoteClients {
  /** Connected agents by address: one entry for each host that has not noticed yet that its connection has ended. */
  readonly #connections = new Map<string, RemoteConnection[]>()
  /** The numbers of this host's connections; infinite until they have one: they are newer than all others then. */
  readonly #local = new Map<string, number>()
  /** Clients whose newest connection is to another host. */
  readonly #clients = new Map<string, RemoteClient>()
  /** The epochs of the members. */
  #members = new Map<string, number>()
  /** The newest epoch in which each host has been a member: rows of later ones become valid when it is listed. */
  readonly #lastEpochs = new Map<string, number>()
  #ownName = ''
  #list: readonly RemoteClient[] | undefined
  /** Whether `#clients` has changed since the last report. */
  #hasChanged = false
  /** Known from before `clear`. */
  #unconfirmed = new Set<string>()
  /** The client whose connection to this host is being closed. */
  #replaced: string | undefined
  readonly #onChange: ListenerSet
  readonly #onMove: ListenerSet<[addr: string, client: RemoteClient | undefined]>
  readonly #onReplaced: ListenerSet<[addr: string]>

  constructor(log: Log) {
    this.#onChange = new ListenerSet(log, 'clients of other hosts')
    this.#onMove = new ListenerSet(log, 'clients that change their host')
    this.#onReplaced = new ListenerSet(log, 'replaced connections')
  }

  /** Applies what was read of the presence, in its order. */
  apply(rows: readonly PresenceRow[]): void {
    for (const row of rows) {
      if (row.name === this.#ownName) continue
      this.#store(row)
      this.#unconfirmed.delete(row.addr)
      this.#settle(row.addr)
    }
    const lost = this.#unconfirmed
    this.#unconfirmed = new Set()
    for (const addr of lost) this.#settle(addr)
    this.#reportChange()
  }

  /** Leaves out the agents of hosts that are no members, and of earlier epochs. */
  setMembers(members: readonly MemberHost[], ownName: string): void {
    const others = members.filter(({ name }) => name !== ownName)
    this.#ownName = ownName
    const isSame = others.length === this.#members.size
    if (isSame && others.every(({ name, epoch }) => this.#members.get(name) === epoch)) return
    this.#members = new Map(others.map(({ name, epoch }) => [name, epoch]))
    for (const { name, epoch } of others) this.#lastEpochs.set(name, epoch)
    for (const [addr, connections] of this.#connections) {
      this.#keep(
        addr,
        connections.filter(each => this.#mayCount(each)),
      )
      this.#settle(addr)
    }
    this.#reportChange()
  }

  /** The next rows are everything there is: agents that are not among them are gone then. */
  clear(): void {
    for (const addr of this.#connections.keys()) this.#unconfirmed.add(addr)
    this.#connections.clear()
  }

  /** Sets the number of this host's connection, infinite until it has one; undefined when there is none any more. */
  setLocal(addr: string, since: number | undefined): void {
    if (since === undefined) this.#local.delete(addr)
    else this.#local.set(addr, since)
    // It is settled when everybody knows that this connection is closed.
    if (addr === this.#replaced) return
    this.#settle(addr)
    this.#reportChange()
  }

  list(): readonly RemoteClient[] {
    this.#list ??= Object.freeze([...this.#clients.values()].sort(latestFirst))
    return this.#list
  }

  find(addr: string): RemoteClient | undefined {
    return this.#clients.get(addr)
  }

  has(addr: string): boolean {
    return this.#clients.has(addr)
  }

  /** Calls the listener when the list has changed, once for many changes. */
  onChange(listener: () => void): void {
    this.#onChange.add(listener)
  }

  onMove(listener: (addr: string, client: RemoteClient | undefined) => void): void {
    this.#onMove.add(listener)
  }

  onReplaced(listener: (addr: string) => void): void {
    this.#onReplaced.add(listener)
  }

  #store({ name, epoch, gone, addr, since, connected, state, status, speed, result, details }: PresenceRow): void {
    const others = (this.#connections.get(addr) ?? []).filter(({ client }) => client.host !== name)
    if (gone) return this.#keep(addr, others)
    const client = Object.freeze({ addr, host: name, since, connected, state, status, speed, result, details })
    const connection = { epoch, client }
    this.#keep(addr, this.#mayCount(connection) ? [...others, connection] : others)
  }

  #keep(addr: string, connections: RemoteConnection[]): void {
    if (connections.length === 0) this.#connections.delete(addr)
    else this.#connections.set(addr, connections)
  }

  /** Of a member, or of a host that has joined after the members were listed. */
  #mayCount({ epoch, client: { host } }: RemoteConnection): boolean {
    return this.#members.get(host) === epoch || epoch > (this.#lastEpochs.get(host) ?? 0)
  }

  #newestOf(addr: string): RemoteClient | undefined {
    let newest: RemoteClient | undefined
    for (const { epoch, client } of this.#connections.get(addr) ?? []) {
      if (this.#members.get(client.host) !== epoch) continue
      if (!newest || client.since > newest.since) newest = client
    }
    return newest
  }

  /** Decides which connection of the address is the newest one. */
  #settle(addr: string): void {
    const newest = this.#newestOf(addr)
    if (newest && newest.since > (this.#local.get(addr) ?? Number.POSITIVE_INFINITY)) {
      this.#replaced = addr
      this.#onReplaced.call(addr)
      this.#replaced = undefined
    }
    const isElsewhere = newest !== undefined && newest.since > (this.#local.get(addr) ?? 0)
    const client = isElsewhere ? newest : undefined
    const before = this.#clients.get(addr)
    if (client === before) return
    if (client) this.#clients.set(addr, client)
    else this.#clients.delete(addr)
    this.#list = undefined
    this.#hasChanged = true
    if ((client === undefined) === (before === undefined)) return
    this.#onMove.call(addr, client)
  }

  #reportChange(): void {
    if (!this.#hasChanged) return
    this.#hasChanged = false
    this.#onChange.call()
  }
}
