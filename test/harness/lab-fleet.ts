// What the hosts of a jobs lab know of each other: members, clients and events.
import type { FeedEvent, JobsCluster, RemoteClient } from '../../host/cluster/cluster.ts'
import { mustRelay } from '../../host/cluster/feed.ts'
import type { Events, FleetEvent } from '../../host/system/events.ts'
import type { ClusterJobs, HostKey } from '../../stores/store.ts'

/** What a host says of itself. */
export interface LabMember {
  readonly name: string
  key: HostKey
  isMember: boolean
  work: ClusterJobs
  /** Closes the connection of a client that has connected to another host. */
  disconnect(addr: string): void
  events: Pick<Events, 'relay'>
}

export class LabFleet {
  readonly feed: FeedEvent[] = []
  readonly #members: LabMember[] = []
  readonly #lost = new Set<string>()
  /** The host of each client's newest connection, and the number of that connection. */
  readonly #holders = new Map<string, { host: string; since: number }>()
  readonly #onFeed: ((event: FeedEvent) => void)[] = []
  readonly #onMove: ((addr: string) => void)[] = []
  readonly #onMembersChange: (() => void)[] = []
  #connections = 0

  /** What a host has of the fleet. `onWork`: adds a listener. */
  add(member: LabMember, onWork: JobsCluster['onWork']): JobsCluster {
    const { name, work } = member
    this.#members.push(member)
    const members = () =>
      this.#members
        .filter(each => !this.#lost.has(each.name))
        .map(({ key }) => ({ ...key, heartbeat: '', modules: {}, url: '', version: '', lease: 6000, joined: 0 }))
    const on: JobsCluster['feed']['on'] = (listener, types) => {
      this.#onFeed.push(event => {
        if (!types || types.includes(event.event.type)) listener(event)
      })
      return () => {}
    }
    return {
      key: () => member.key,
      isMember: () => member.isMember,
      isLeader: () => members()[0]?.name === name,
      members,
      lostParts: async () => [],
      work,
      remote: {
        find: addr => this.#findRemote(addr, name),
        onMove: listener => void this.#onMove.push(addr => listener(addr, this.#findRemote(addr, name))),
      },
      feed: {
        onGap: () => {},
        on,
        onRemote: (listener, types) => on(event => event.host !== name && listener(event), types),
      },
      onMembersChange: listener => void this.#onMembersChange.push(listener),
      onWork,
    }
  }

  publish(host: string, event: FleetEvent): void {
    const published = { id: this.feed.length + 1, time: Date.now(), host, event }
    this.feed.push(published)
    for (const listener of this.#onFeed) setImmediate(listener, published)
    if (!mustRelay(published)) return
    for (const { name, events } of this.#members) if (name !== host) setImmediate(() => events.relay(event))
  }

  /** The newest connection of the client is to this host. */
  hold(addr: string, host: string): void {
    this.#connections += 1
    this.#holders.set(addr, { host, since: this.#connections })
    for (const listener of this.#onMove) listener(addr)
    for (const { name, disconnect } of this.#members) if (name !== host) disconnect(addr)
  }

  /** The host has no connection of the client any more. */
  release(addr: string, host: string): void {
    if (this.#holders.get(addr)?.host !== host) return
    this.#holders.delete(addr)
    for (const listener of this.#onMove) listener(addr)
  }

  lose(name: string): void {
    this.#lost.add(name)
    for (const addr of [...this.#holders.keys()]) this.release(addr, name)
    for (const listener of this.#onMembersChange) listener()
  }

  /** The host has become a member again, with these clients. */
  rejoin(name: string, addrs: Iterable<string>): void {
    this.#lost.delete(name)
    for (const addr of addrs) this.hold(addr, name)
    for (const listener of this.#onMembersChange) listener()
  }

  hasRemote(addr: string, name: string): boolean {
    return this.#findRemote(addr, name) !== undefined
  }

  #findRemote(addr: string, name: string): RemoteClient | undefined {
    const holder = this.#holders.get(addr)
    if (!holder || holder.host === name) return undefined
    return { addr, ...holder, connected: 0, state: '', status: '', speed: 0, result: 'unknown', details: {} }
  }
}
