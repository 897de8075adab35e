// Emits the events of jobs: job-created, job-part when a part has ended, job-finished.
import type { Job, New, Part, PartState, PartUpdate } from '../../stores/store.ts'
import type { Events } from '../system/events.ts'

/** A job that has not finished. */
interface UnfinishedJob extends Pick<Job, 'name' | 'steps'> {
  /** By number; undefined when the part has ended. */
  parts: (Pick<Part, 'client' | 'step'> | undefined)[]
  /** How many parts have not ended. */
  remaining: number
  /** The number of ended parts by state. */
  counts: Record<string, number>
}

export interface JobEvents {
  /** The job has been stored with these parts. */
  created(id: number, job: Omit<New<Job>, 'created'>, parts: readonly Part[]): void
  /** Continues a job of an earlier process; `parts` are those that have not ended. */
  resumed(job: Job, parts: readonly (Part & { index: number })[]): void
  /** The updates have been stored. */
  updated(updates: readonly PartUpdate[]): void
}

const isEnd = (state: PartState | undefined) => state !== undefined && state !== 'queued' && state !== 'sent'

export function createJobEvents(events: Events): JobEvents {
  const jobs = new Map<number, UnfinishedJob>()

  function endPart(id: number, job: UnfinishedJob, index: number, { state, reason }: EndedPart): void {
    const part = job.parts[index]
    if (!part || !isEnd(state)) return
    const command = job.steps[part.step]?.command ?? ''
    job.parts[index] = undefined
    job.remaining -= 1
    job.counts[state] = (job.counts[state] ?? 0) + 1
    events.emit({ type: 'job-part', job: id, addr: part.client, command, state, ...(reason && { reason }) })
  }

  function finishIfDone(id: number, job: UnfinishedJob): void {
    if (job.remaining > 0) return
    jobs.delete(id)
    events.emit({ type: 'job-finished', job: id, name: job.name, counts: job.counts })
  }

  return {
    created(id, { name, origin, steps }, parts) {
      const job: UnfinishedJob = { name, steps, parts: [...parts], remaining: parts.length, counts: {} }
      const addrs = [...new Set(parts.map(({ client }) => client))]
      jobs.set(id, job)
      events.emit({ type: 'job-created', job: id, name, origin, addrs })
      for (const [index, part] of parts.entries()) endPart(id, job, index, part)
      finishIfDone(id, job)
    },

    resumed({ id, name, steps }, parts) {
      const job: UnfinishedJob = { name, steps, parts: [], remaining: parts.length, counts: {} }
      for (const { index, client, step } of parts) job.parts[index] = { client, step }
      jobs.set(id, job)
    },

    updated(updates) {
      for (const { job: id, index, state, reason } of updates) {
        const job = jobs.get(id)
        if (!job || state === undefined) continue
        endPart(id, job, index, { state, reason })
        finishIfDone(id, job)
      }
    },
  }
}

interface EndedPart {
  state: PartState
  reason?: string
}
