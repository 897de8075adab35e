// Tells what becomes of jobs: created, each part's outcome, finished.
import type { Job, Mark, New, Part, PartState } from '../command.ts'
import type { Events } from '../events.ts'

/** Of a job that has not finished: its parts that have not ended, and how many ended how. */
interface Open extends Pick<Job, 'name' | 'steps'> {
  parts: Map<number, Pick<Part, 'client' | 'step'>>
  counts: Record<string, number>
}

export interface JobNews {
  /** The job is stored with these parts. */
  created(id: number, job: Omit<New<Job>, 'created'>, parts: readonly Part[]): void
  /** The same of one that an earlier daemon has left. */
  resumed(job: Job, parts: readonly (Part & { index: number })[]): void
  /** The changes are stored. */
  marked(marks: readonly Mark[]): void
}

const isEnd = (state: PartState | undefined) => state !== undefined && state !== 'queued' && state !== 'sent'

export function createJobNews(events: Events): JobNews {
  const jobs = new Map<number, Open>()

  function end(id: number, job: Open, { client, step }: Pick<Part, 'client' | 'step'>, { state, reason }: Ended): void {
    const command = job.steps[step]?.command ?? ''
    job.counts[state] = (job.counts[state] ?? 0) + 1
    events.emit({ type: 'job-part', job: id, addr: client, command, state, ...(reason && { reason }) })
  }

  function finishIfDone(id: number, job: Open): void {
    if (job.parts.size > 0) return
    jobs.delete(id)
    events.emit({ type: 'job-finished', job: id, name: job.name, counts: job.counts })
  }

  return {
    created(id, { name, origin, steps }, parts) {
      const job: Open = { name, steps, parts: new Map(), counts: {} }
      const addrs = [...new Set(parts.map(({ client }) => client))]
      jobs.set(id, job)
      events.emit({ type: 'job-created', job: id, name, origin, addrs })
      for (const [index, part] of parts.entries()) {
        if (isEnd(part.state)) end(id, job, part, part)
        else job.parts.set(index, { client: part.client, step: part.step })
      }
      finishIfDone(id, job)
    },

    resumed({ id, name, steps }, parts) {
      const waiting = parts.map(({ index, client, step }) => [index, { client, step }] as const)
      jobs.set(id, { name, steps, parts: new Map(waiting), counts: {} })
    },

    marked(marks) {
      for (const { job: id, index, state, reason } of marks) {
        const job = jobs.get(id)
        const part = job?.parts.get(index)
        if (!job || !part || state === undefined || !isEnd(state)) continue
        job.parts.delete(index)
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
