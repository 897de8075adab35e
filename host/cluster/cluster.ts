// What the departments of a host use of the other hosts. In a daemon that runs alone it is absent (undefined), or that of
// one-host.ts.
import type { ClusterJobs, HostKey, MemberHost, Publications, UnfinishedParts } from '../../stores/store.ts'
import type { ClientEntry } from '../contract/services.ts'
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
  presence: LocalPresence
  outputs: SharedOutputs
  feed: ClusterFeed
  work: ClusterJobs
  /** What an earlier process of a daemon alone has sent: the replies are lost. Hosts end such parts when they join. */
  lostParts(): Promise<readonly UnfinishedParts[]>
  /** Calls the listener when a host has come or gone, or this one has joined again: the leader may be another one. */
  onMembersChange(listener: () => void): void
  /** Calls the listener when parts may have been assigned to this host: on a notification, and each second. */
  onWork(listener: () => void): void
}

/** What jobs and schedules use. */
export interface JobsCluster
  extends Pick<Cluster, 'key' | 'isMember' | 'isLeader' | 'work' | 'lostParts' | 'onMembersChange' | 'onWork'> {
  members(): readonly Pick<HostKey, 'name'>[]
  remote: Pick<RemoteClients, 'find' | 'onMove'>
  feed: Pick<ClusterFeed, 'on' | 'onRemote' | 'onGap'>
}

/** Outputs of the last script of clients, in the store. */
export type SharedOutputs = Pick<Publications, 'outputs' | 'setOutputs' | 'clearOutputs'>

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
  /** Calls the listener when a client has come to the other hosts, or with undefined when it has left them. */
  onMove(listener: (addr: string, client: RemoteClient | undefined) => void): void
  /** Calls the listener when a client of this host has a newer connection to another one: to close the one to this host. */
  onReplaced(listener: (addr: string) => void): void
}

/** The agents that are connected to this host. */
export interface LocalAgents {
  find(addr: string): { entry: ClientEntry; request: { command: string; payload: unknown } | undefined } | undefined
}

/** Reports the agents of this host to the other ones. */
export interface LocalPresence {
  /** To be called once, before the first agent connects. */
  attach(agents: LocalAgents): void
  /** The agent's entry or the request that it works on has changed. */
  changed(addr: string): void
  /** The number of the connection in the fleet; undefined until it has one, it is one of the newest then. */
  numberOf(addr: string): number | undefined
}

/** An event with its place in the fleet's order. `time`: milliseconds since 1970. */
export interface FeedEvent {
  id: number
  time: number
  host: string
  event: FleetEvent
}

/** The events of all hosts, this one included, in one order, some milliseconds after they happened. */
export interface ClusterFeed {
  /** Listeners are called in the order of the ids. Returns the function that unsubscribes. */
  on(listener: (event: FeedEvent) => void, types?: readonly FleetEvent['type'][]): () => void
  /** The same without the events of this host. */
  onRemote: ClusterFeed['on']
  /** Calls the listener when events were lost, before the first one after them. */
  onGap(listener: () => void): void
  /** The newest events before those that listeners get, the oldest first; empty when it was called before. */
  takeHistory(): readonly FeedEvent[]
}
