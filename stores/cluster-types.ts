// What an adapter offers for several hosts that share one store: membership, presence, events and work. Types only.
//
// Each host is a process of the daemon. It is a member under its name, with an epoch that is assigned anew each time it
// joins. What an earlier epoch of a host left is ended before the next one begins. Nothing here relies on the clocks of
// the hosts being equal. All methods reject when the engine does not respond.
import type { StoreOptions } from './adapter-types.ts'
import type { IndexedPart, Job, Part, PartCounts, PartUpdate } from './job-types.ts'
import type { New } from './types.ts'

/** A further export of an adapter for several hosts. Its tables are made when the store is opened, which comes first. */
export interface ClusterAdapter {
  openCluster(options: StoreOptions): Promise<ClusterStore>
}

export interface ClusterStore {
  members: Members
  bells: Bells
  news: News
  work: Work
  close(): Promise<void>
}

/** One life of a host. */
export interface HostKey {
  name: string
  epoch: number
}

export interface MemberHost extends HostKey {
  /** Changes with each heartbeat; to be compared only. */
  heartbeat: string
  /** Fingerprints of the host's commands by command name. */
  modules: Record<string, string>
  /** Address of its REST API, for people. */
  url: string
}

export interface Members {
  /**
   * Becomes a member. What an earlier epoch of this name left is ended as by `remove`, with the reason `daemon restarted`.
   * Undefined while another process holds this name: a lock of the database's session says so, which ends with the process.
   */
  join(host: Omit<MemberHost, 'epoch' | 'heartbeat'>): Promise<{ epoch: number; ended: EndedWork[] } | undefined>
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
  remove(host: HostKey & { heartbeat: string }, reason: string): Promise<{ agents: string[]; ended: EndedWork[] } | undefined>
  /** The same for oneself, when the daemon ends. */
  leave(key: HostKey, reason: string): Promise<{ agents: string[]; ended: EndedWork[] }>
}

/** What changed: all hosts are notified. `hosts`: members; `news`: presence or events; `work`: assigned parts of a host. */
export type Bell = { type: 'hosts' | 'news' } | { type: 'work'; host: string }

export interface Bells {
  /**
   * Calls `onBell` for each notification, and `onLost` when the connection ended: notifications may have been missed. It is
   * opened again until `close`, then `onOpen` is called (also the first time).
   */
  listen(handlers: { onBell(bell: Bell): void; onOpen(): void; onLost(): void }): void
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
  /**
   * Replaces an event before it is stored when the address is connected to another host by a newer connection than the one
   * of `gone`: so that no reader takes a client that moved for one that is gone.
   */
  replaceGone(event: { type: string }): { type: string }
}

/** Presence and events of the fleet, in one order: who has read up to a version has missed nothing before it. */
export interface News {
  /**
   * Stores presence and events in one step, in the order of the lists, and notifies all hosts. Resolves to the numbers of
   * the connections, by address, or to undefined when this epoch is no member any more: nothing is stored then.
   */
  publish(published: Published): Promise<Map<string, number> | undefined>
  /**
   * What came after a version and after an event; from 0 on everything there is. `events`: in order of their ids, which
   * have no gap, apart from one where events were lost; at most `limit`, so it is read again until it is empty.
   */
  read(after: { version: number; event: number; limit: number }): Promise<{
    version: number
    agents: PresenceRow[]
    events: ClusterEvent[]
  }>
  /** The id of the newest event, and the lowest id of the newest `count` ones. */
  newest(count: number): Promise<{ newest: number; first: number }>
  /** Deletes all events but the newest `keep`, and rows of agents that have been gone for a minute. */
  trim(keep: number): Promise<void>
  /** Outputs of the last script of clients, '' when a newer script has none yet. Clients without one are left out. */
  outputs(clients: readonly string[]): Promise<Map<string, string>>
  setOutput(client: string, output: string): Promise<void>
  clearOutputs(clients: readonly string[]): Promise<void>
}

/** What another process did to parts: to emit their events. `finished`: the jobs that have no unfinished part any more. */
export interface EndedWork {
  job: Pick<Job, 'id' | 'name' | 'by' | 'steps'>
  /** Without outputs. */
  parts: IndexedPart[]
  /** Of all parts of the job, when these were the last ones. */
  finished?: { counts: PartCounts; clients: string[] }
}

/** One firing of a schedule: `time` is the due time, milliseconds since 1970. */
export interface Firing {
  schedule: number
  time: number
}

export interface NewWork {
  job: New<Job>
  parts: Part[]
  /** Parts in state `queued` that are to be sent at once, by their host; those are not sent that cannot be. */
  direct: ReadonlySet<number>
  /** The host that is to look after each queued part; undefined for those that this host looks after itself. */
  hosts: readonly (string | undefined)[]
  /** Of a schedule. */
  firing?: Firing
}

/** A part that a host is to send or to queue. */
export interface AssignedPart extends IndexedPart {
  job: number
  /** It was to be sent at once and is stored as sent by this host now. */
  claimed: boolean
}

export interface Assigned {
  /** By id, without those that are named already in an earlier result. */
  jobs: Job[]
  parts: AssignedPart[]
}

/** Under which condition an update takes effect: the part is queued, or was sent by this epoch of this host. */
export type ChangeFrom = 'queued' | 'sent'

export interface Change extends PartUpdate {
  from: ChangeFrom
}

export interface Changed {
  /** Those that took effect. */
  applied: Change[]
  /** Jobs whose last unfinished part ended by this, each reported once in the fleet. */
  finished: { job: number; counts: PartCounts; clients: string[] }[]
}

/** Parts of jobs, each of which is sent by one host and never twice. Each method is one step, on disk when it resolves. */
export interface Work {
  /**
   * Adds a job, assigns its queued parts, and notifies their hosts. Parts in state `sent` are those of this host. With
   * `firing` the schedule's `since` becomes its time; undefined when that firing has had its job or was skipped already.
   * Rejects when this epoch is no member any more.
   */
  add(key: HostKey, work: NewWork): Promise<{ id: number; finished: boolean } | undefined>
  /** As a firing without a job: false when it has had one already. */
  claimFiring(firing: Firing): Promise<boolean>
  /** The parts assigned to this host since `after` (0: all), those to be sent at once claimed; `last` for the next call. */
  take(key: HostKey, after: number, now: number): Promise<Assigned & { last: number }>
  /** All queued parts of these clients, in the order of the queue: not those that another host is to send at once. */
  queued(clients: readonly string[] | 'all'): Promise<Assigned>
  /**
   * Changes of parts. A change to `sent` from `queued` is a claim, of which only one in the fleet takes effect; a change to
   * `queued` from `sent` gives the part back. Rejects for a claim when this epoch is no member any more.
   */
  change(key: HostKey, changes: Change[]): Promise<Changed>
  /** Cancels queued parts of a job or of clients, whichever host looks after them. */
  cancel(
    target: { job: number; clients?: readonly string[] } | { clients: readonly string[] },
    reason: string,
    now: number,
  ): Promise<EndedWork[]>
  /** Parts that wait in the whole fleet. */
  depth(): Promise<number>
}
