// What the departments of a host use of the other hosts. Absent (undefined) in a daemon that runs alone.
import type { HostKey, MemberHost, Work } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'

export interface Cluster {
  /** Of this host; the epoch changes when it has to join again. */
  key(): HostKey
  /**
   * Whether this host's heartbeat is recent enough, by its own monotonic clock, that no other host can have removed it:
   * asked right before a request is sent and before a write is accepted.
   */
  isMember(): boolean
  /** Whether this host does what is done once in the fleet. */
  isLeader(): boolean
  /** Including this host, the leader first. */
  members(): readonly MemberHost[]
  /** Clients of other hosts. */
  remote: RemoteClients
  feed: FleetFeed
  work: Work
  /** Calls the listener when a host has come or gone, or this one has joined again: the leader may be another one. */
  onMembersChange(listener: () => void): void
  /** Calls the listener when parts may have been assigned to this host: on a notification, and each second. */
  onWork(listener: () => void): void
}

/** A client whose newest connection is to another host. */
export interface RemoteClient {
  addr: string
  host: string
  /** The number of its connection in the fleet; later ones have higher numbers. */
  since: number
  /** Milliseconds since 1970. */
  connected: number
  state: string
  status: string
  speed: number
  result: 'unknown' | 'success' | 'failure'
  details: Record<string, unknown>
}

export interface RemoteClients {
  /** Latest connection first; the same frozen list until it changes. */
  list(): readonly RemoteClient[]
  find(addr: string): RemoteClient | undefined
  has(addr: string): boolean
}

/** An event with its place in the fleet's order. `time`: milliseconds since 1970. */
export interface FeedEvent {
  id: number
  time: number
  host: string
  event: FleetEvent
}

/** The events of all hosts, this one included, in one order, some milliseconds after they happened. */
export interface FleetFeed {
  /** Listeners are called in the order of the ids. Returns the function that unsubscribes. */
  on(listener: (event: FeedEvent) => void, types?: readonly FleetEvent['type'][]): () => void
}
