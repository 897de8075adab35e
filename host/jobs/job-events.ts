// Tells what becomes of jobs: created, each part's outcome, finished.
import type { Job, New, Part, PartState, PartUpdate } from '../../stores/store.ts'
import type { Events } from '../system/events.ts'

/** Of a job that has not finished. */
interface Open extends Pick<Job, 'name' | 'steps'> {
  /** By number, those that have not ended. */
  parts: (Pick<Part, 'client' | 'step'> | undefined)[]
  /** How many these are. */
  left: number
  /** How many ended how. */
  counts: Record<string, number>
}

export interface JobEvents {
  /** The job is stored with these parts. */
  created(id: number, job: Omit<New<Job>, 'created'>, parts: readonly Part[]): void
  /** The same of one that an earlier daemon has left. */
  resumed(job: Job, parts: readonly (Part & { index: number })[]): void
  /** The changes are stored. */
  updated(marks: readonly PartUpdate[]): void
}

const isEnd = (state: PartState | undefined) => state !== undefined && state !== 'queued' && state !== 'sent'

export function createJobEvents(events: Events): JobEvents {
  const jobs = new Map<number, Open>()

  function end(id: number, job: Open, { client, step }: Pick<Part, 'client' | 'step'>, { state, reason }: Ended): void {
    const command = job.steps[step]?.command ?? ''
    job.counts[state] = (job.counts[state] ?? 0) + 1
    events.emit({ type: 'job-part', job: id, addr: client, command, state, ...(reason && { reason }) })
  }

  function finishIfDone(id: number, job: Open): void {
    if (job.left > 0) return
    jobs.delete(id)
    events.emit({ type: 'job-finished', job: id, name: job.name, counts: job.counts })
  }

  return {
    created(id, { name, origin, steps }, parts) {
      const job: Open = { name, steps, parts: [...parts], left: parts.length, counts: {} }
      const addrs = [...new Set(parts.map(({ client }) => client))]
      jobs.set(id, job)
      events.emit({ type: 'job-created', job: id, name, origin, addrs })
      for (const [index, part] of parts.entries()) {
        if (!isEnd(part.state)) continue
        job.parts[index] = undefined
        job.left -= 1
        end(id, job, part, part)
      }
      finishIfDone(id, job)
    },

    resumed({ id, name, steps }, parts) {
      const job: Open = { name, steps, parts: [], left: parts.length, counts: {} }
      for (const { index, client, step } of parts) job.parts[index] = { client, step }
      jobs.set(id, job)
    },

    updated(marks) {
      for (const { job: id, index, state, reason } of marks) {
        const job = jobs.get(id)
        const part = job?.parts[index]
        if (!job || !part || state === undefined || !isEnd(state)) continue
        job.parts[index] = undefined
        job.left -= 1
        end(id, job, part, { state, reason })
        finishIfDone(id, job)
      }
    },
  }
}

interface Ended {
  state: PartState
  reason?: string
}
