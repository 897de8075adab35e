// What an adapter offers for several hosts that share one store: membership, presence, events and work. Types only.
//
// Each host is a process of the daemon. It is a member under its name, with an epoch that is assigned anew each time it
// joins. What an earlier epoch of a host left is ended before the next one begins. Nothing here relies on the clocks of
// the hosts being equal. All methods reject when the engine does not respond.
import type { StoreOptions } from './adapter-types.ts'
import type { ClusterJobs, HostKey } from './cluster-job-types.ts'
import type { EndedParts, StoreLimits } from './types.ts'

export type * from './cluster-job-types.ts'

/** A further export of an adapter for several hosts. Its tables are made when the store is opened, which comes first. */
export interface ClusterAdapter {
  openCluster(options: StoreOptions, limits?: StoreLimits): Promise<ClusterStore>
}

export interface ClusterStore {
  /** As that of `StoredEvents`, for the writes of this object. `members.join` adds all types: modules are loaded later. */
  record(types: readonly string[]): void
  members: Members
  notifications: Notifications
  publications: Publications
  work: ClusterJobs
  close(): Promise<void>
}

export interface MemberHost extends HostKey {
  /** Changes with each heartbeat; to be compared only. */
  heartbeat: string
  /** Fingerprints of the host's commands by command name. */
  modules: Record<string, string>
  /** Address of its REST API, for people. */
  url: string
  /** Of its daemon. */
  version: string
  /** Milliseconds without a heartbeat after which it counts as gone. */
  lease: number
  /** When this epoch began, by the database's clock, milliseconds since 1970. */
  joined: number
}

export interface Members {
  /**
   * Becomes a member. What an earlier epoch of this name left is ended as by `remove`, with the reason `daemon restarted`.
   * Undefined while another process holds this name: a lock of the database's session says so, which ends with the process.
   */
  join(host: Omit<MemberHost, 'epoch' | 'heartbeat' | 'joined'>): Promise<(EndedMember & { epoch: number }) | undefined>
  /** Writes the heartbeat by the database's clock. False when this epoch is no member any more: join again. */
  beat(key: HostKey, modules: Record<string, string>): Promise<boolean>
  /** All members, the one that has been a member for the longest time first: it does what is done once in the fleet. */
  list(): Promise<MemberHost[]>
  /**
   * Ends the membership of a host whose heartbeat is still this one: its agents are removed, its sent parts and the direct
   * parts that it has not claimed fail with `reason`, its other queued parts are assigned to nobody. In one step with its
   * own writes, so that nothing that it does later counts. Events are for the caller to publish. Undefined when it is no
   * member any more, or has written its heartbeat: somebody else removed it, or nobody need to.
   */
  remove(host: HostKey & { heartbeat: string }, reason: string): Promise<EndedMember | undefined>
  /** The same for oneself, when the daemon ends. `eventsOf` returns the events of that, which are stored in the same step. */
  leave(key: HostKey, reason: string, eventsOf?: (ended: EndedMember) => Published['events']): Promise<EndedMember>
}

/** What ended with a membership. */
export interface EndedMember {
  /** Whether there was one: its last events may not have been published. */
  wasMember: boolean
  /** Addresses of its agents that are connected to no other member. */
  agents: string[]
  ended: EndedParts[]
}

/** What changed: all hosts are notified. `hosts`: members; `published`: presence or events; `work`: assigned parts of a host. */
export type Notice = { type: 'hosts' | 'published' } | { type: 'work'; host: string }

export interface Notifications {
  /**
   * Calls `onNotice` for each notification, and `onLost` when the connection ended: notifications may have been missed. It is
   * opened again until `close`, then `onOpen` is called (also the first time).
   */
  listen(handlers: { onNotice(notice: Notice): void; onOpen(): void; onLost(): void }): void
}

/** A connected agent, as its host sees it. */
export interface PresentAgent {
  addr: string
  /**
   * The number of its connection in the fleet: later connections have higher numbers. Undefined until it has been written
   * the first time; afterwards the number that was assigned then.
   */
  since: number | undefined
  /** The time of its connection by its host's clock, milliseconds since 1970. */
  connected: number
  state: string
  status: string
  /** Mbit/s. */
  speed: number
  result: 'unknown' | 'success' | 'failure'
  /** Whatever hosts agree on: the login, the introduction, the running command. JSON. */
  details: Record<string, unknown>
}

/** A row of the fleet's presence; `gone`: it is not connected to this host any more. */
export interface PresenceRow extends Omit<PresentAgent, 'since'>, HostKey {
  since: number
  gone: boolean
}

/** An event of any host. `event`: JSON with a key `type`. `time`: milliseconds since 1970 by its host's clock. */
export interface ClusterEvent {
  id: number
  host: string
  time: number
  event: { type: string }
}

export interface Published {
  key: HostKey
  /** New and changed agents of this host. */
  agents: PresentAgent[]
  /** Addresses whose agents are not connected to this host any more. */
  gone: string[]
  events: { time: number; event: { type: string } }[]
  /** How many events were lost before these: their ids are left out, so that readers notice. */
  lost?: number
  /**
   * The event that is stored instead when its `addr` is connected to another host by a newer connection, so that no reader
   * takes a client that moved for one that is gone; the same event when that does not matter. It may be called again.
   */
  replaceGone(event: { type: string }): { type: string }
}

/** Presence and events of the fleet, in one order: who has read up to a version has missed nothing before it. */
export interface Publications {
  /**
   * Stores presence and events in one step, in the order of the lists, and notifies all hosts. Resolves to the numbers of
   * the connections, by address. Nothing is stored, and it resolves to undefined, when this epoch is no member any more; to
   * `refused` when the database can never store this, as a text that its encoding lacks.
   */
  publish(published: Published): Promise<Map<string, number> | undefined | 'refused'>
  /**
   * What came after a version and after an event; from 0 on everything there is. `events`: in order of their ids, which
   * have no gap, apart from one where events were lost; at most `limit`, so it is read again until it is empty. Presence is
   * never older than the events. Who has not read for a minute, or got `onLost`, reads presence from 0. Without the
   * presence of the host `except`, which knows its own.
   */
  read(after: { version: number; event: number; limit: number; except?: string }): Promise<{
    version: number
    agents: PresenceRow[]
    events: ClusterEvent[]
  }>
  /** The id of the newest event; the lowest id of the newest `count` ones, or the next id when there are none. */
  newest(count: number): Promise<{ newest: number; first: number }>
  /** Deletes all events but the newest `keep`, and rows of agents that have been gone for a minute. */
  trim(keep: number): Promise<void>
  /** Outputs of the last script of clients, '' when a newer script has none yet. Clients without one are left out. */
  outputs(clients: readonly string[]): Promise<Map<string, string>>
  /** By client. */
  setOutputs(outputs: ReadonlyMap<string, string>): Promise<void>
  clearOutputs(clients: readonly string[]): Promise<void>
}
