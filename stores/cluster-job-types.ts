// What an adapter offers for jobs whose parts are sent by several hosts. Types only.
import type {
  CancelTarget,
  Change,
  Changed,
  EndedParts,
  IndexedPart,
  Part,
  UnfinishedPage,
  UnfinishedParts,
} from './job-types.ts'
import type { Job, New } from './types.ts'

/** One life of a host. */
export interface HostKey {
  name: string
  epoch: number
}

/** One firing of a schedule: `time` is the due time, milliseconds since 1970. */
export interface Firing {
  schedule: number
  time: number
}

export interface NewClusterJob {
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
  /** Those of the parts, each once, by id. */
  jobs: Job[]
  parts: AssignedPart[]
}

/** Parts of jobs, each of which is sent by one host and never twice. Each method is one step, on disk when it resolves. */
export interface ClusterJobs {
  /**
   * Adds a job, assigns its queued parts, and notifies their hosts. Parts in state `sent` are those of this host. With
   * `firing` the schedule's `since` becomes its time; undefined when that firing has had its job or was skipped already.
   * Rejects when this epoch is no member any more. `unassigned`: indexes of parts that were for a host that is no member
   * any more; they are queued, not to be sent at once, and assigned to nobody.
   */
  add(key: HostKey, work: NewClusterJob): Promise<{ id: number; unassigned: number[] } | undefined>
  /** As a firing without a job: false when it has had one already. */
  claimFiring(firing: Firing): Promise<boolean>
  /**
   * The parts assigned to this host since `after` (0: all), those to be sent at once claimed; `last` for the next call. A
   * call with the same `after` returns the same parts again, claimed ones too: the result of the first one may have got lost.
   */
  take(key: HostKey, after: number, now: number): Promise<Assigned & { last: number }>
  /** Queued parts of these clients, as `unfinished` reads them: not those that a host is to send at once. */
  queued(clients: readonly string[] | 'all', page?: UnfinishedPage): Promise<UnfinishedParts[]>
  /**
   * Assigns queued parts that are not to be sent at once to other hosts and notifies these. Parts in other states, and
   * those for a host that is no member, stay as they are.
   */
  assign(parts: readonly { job: number; index: number; host: string }[]): Promise<void>
  /** How many parts of a job are to be sent at once and have not been claimed. */
  unclaimed(job: number): Promise<number>
  /**
   * Changes of parts. A change to `sent` from `queued` is a claim, of which only one in the fleet takes effect; a change to
   * `queued` from `sent` gives the part back, not to be sent at once. Rejects for a claim when this epoch is no member any
   * more. A change of an ended state that this host has stored already, with the same time, counts as applied: its result
   * may have got lost.
   */
  change(key: HostKey, changes: Change[]): Promise<Changed>
  /** Cancels queued parts of a job or of clients, whichever host looks after them. */
  cancel(target: CancelTarget, reason: string, now: number): Promise<EndedParts[]>
}
