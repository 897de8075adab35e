// Stores jobs and changes of their parts. This is the way of a host that runs alone; see shared-work.ts for several hosts.
import type { ClaimLimits, Firing, Job, New, Part, PartUpdate, Store } from '../../../stores/store.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import type { JobEvents } from './job-events.ts'
import type { RunningWork } from './running-work.ts'

/** Which parts of a new job other hosts of the fleet have. */
export interface Placement {
  /** By number, the host of each part that is to be sent at once by another host. */
  direct: Map<number, string>
  /** The numbers of all parts that other hosts look after; filled when the job is stored. */
  elsewhere: Set<number>
}

/** Another host of the fleet has run the firing of a schedule. */
export const taken = refuse('run by another host')

export interface NewJobOptions {
  placement?: Placement | undefined
  /** Of a schedule: the job is stored unless another host has run it. */
  firing?: Firing | undefined
}

export interface WorkStore {
  /** With several hosts, the placement of a new job. */
  place?(): Placement
  /** Resolves to the id when the job is on disk, or to `taken`. */
  add(job: New<Job>, parts: Part[], options: NewJobOptions): Promise<number | Refusal>
  /** Resolves when the updates are on disk. Those of parts that another host has changed since have no effect. */
  update(updates: PartUpdate[]): Promise<void>
  /**
   * The same for one part. `lost`: another host has changed it. `full`: with several hosts, the part would be one too many of
   * those that `limits` are for.
   */
  updateNow(update: PartUpdate, limits?: ClaimLimits): Promise<'lost' | 'full' | undefined>
}

export interface OwnWorkDeps {
  store: Pick<Store, 'jobs' | 'schedules'>
  running: RunningWork
  jobEvents: JobEvents
}

export function createOwnWork({ store, running, jobEvents }: OwnWorkDeps): WorkStore {
  function onStored(updates: readonly PartUpdate[]): void {
    for (const update of updates) running.update(update)
    jobEvents.changed({ applied: updates })
  }

  return {
    async add(job, parts, { firing }) {
      const id = await store.jobs.add(job, parts)
      // Afterwards: until then the firing may be tried again.
      if (firing) await store.schedules.setSince(firing.schedule, firing.time)
      running.add(id, parts)
      jobEvents.created(id, job, parts)
      return id
    },
    async update(updates) {
      await store.jobs.update(updates)
      onStored(updates)
    },
    async updateNow(update) {
      await store.jobs.update([update])
      onStored([update])
    },
  }
}
