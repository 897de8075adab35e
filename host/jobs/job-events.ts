// Emits the events of jobs: job-created, job-part when a part has ended, job-finished. Logs the end of each job.
import type { Job, New, Part, PartState, PartUpdate } from '../../stores/store.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { clientFields, describeClients } from '../system/log-clients.ts'

/** What is logged at the end of a job. */
interface EndedJob extends Pick<Job, 'name' | 'caller' | 'by'> {
  /** The addresses of all its parts. */
  addrs: string[]
  /** The number of ended parts by state. */
  counts: Record<string, number>
}

/** A job that has not finished. */
interface UnfinishedJob extends EndedJob, Pick<Job, 'steps'> {
  /** By number; undefined when the part has ended. */
  parts: (Pick<Part, 'client' | 'step'> | undefined)[]
  /** How many parts have not ended. */
  remaining: number
}

export interface JobEventsDeps {
  events: Events
  log: Log
}

export interface JobEvents {
  /** The job has been stored with these parts. */
  created(id: number, job: Omit<New<Job>, 'created'>, parts: readonly Part[]): void
  /** Continues a job of an earlier process; `parts` are those that have not ended. */
  resumed(job: Job, parts: readonly (Part & { index: number })[]): void
  /** The updates have been stored. */
  updated(updates: readonly PartUpdate[]): void
}

export const isEnd = (state: PartState | undefined): state is PartState =>
  state !== undefined && state !== 'queued' && state !== 'sent'

export function createJobEvents({ events, log }: JobEventsDeps): JobEvents {
  const jobs = new Map<number, UnfinishedJob>()

  function endPart(id: number, job: UnfinishedJob, index: number, { state, reason }: EndedPart): void {
    const part = job.parts[index]
    if (!part || !isEnd(state)) return
    const command = job.steps[part.step]?.command ?? ''
    job.parts[index] = undefined
    job.remaining -= 1
    job.counts[state] = (job.counts[state] ?? 0) + 1
    const event = { type: 'job-part', job: id, addr: part.client, command, state } as const
    // Without a spread where there is none, because thousands of parts end at once.
    events.emit(reason ? { ...event, reason } : event)
  }

  function finishIfDone(id: number, job: UnfinishedJob): void {
    if (job.remaining > 0) return
    jobs.delete(id)
    const { name, by, addrs, counts } = job
    logEnd(id, job, log)
    events.emit({ type: 'job-finished', job: id, name, by, counts, addrs })
  }

  return {
    created(id, { name, origin, caller, by, steps }, parts) {
      const addrs = addressesOf(parts)
      const remaining = parts.length
      const job: UnfinishedJob = { name, caller, by, addrs, steps, parts: [...parts], remaining, counts: {} }
      jobs.set(id, job)
      events.emit({ type: 'job-created', job: id, name, origin, by, addrs })
      parts.forEach((part, index) => {
        endPart(id, job, index, part)
      })
      finishIfDone(id, job)
    },

    resumed({ id, name, caller, by, steps }, parts) {
      const addrs = addressesOf(parts)
      const job: UnfinishedJob = { name, caller, by, addrs, steps, parts: [], remaining: parts.length, counts: {} }
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

export const addressesOf = (parts: readonly Pick<Part, 'client'>[]) => [...new Set(parts.map(({ client }) => client))]

/** One line per job: `job 5 shell-run, by token lab from 10.1.1.9: 2 success, 1 failure; 3 clients: 10.1.1.20, …`. */
export function logEnd(job: number, { name, caller, by, addrs, counts }: EndedJob, log: Log): void {
  const results = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
  const maker = [...(by === '' ? [] : [` by ${by}`]), ...(caller === undefined ? [] : [` from ${caller}`])].join('')
  const what = `job ${job} ${name}${maker && `,${maker}`}: ${results.join(', ') || 'no parts'}; ${describeClients(addrs)}`
  log.info('jobs', what, { event: 'job-finished', job, command: name, by, caller, counts, ...clientFields(addrs) })
}

interface EndedPart {
  state: PartState
  reason?: string
}
