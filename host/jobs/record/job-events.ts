// Emits the events of jobs: job-created, job-part when a part has ended, job-finished. Logs the end of each job.
import type { Job, New, Part, PartState, PartUpdate } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import { clientFields, describeClients } from '../../log/log-clients.ts'
import type { Events } from '../../system/events.ts'
import { PartClients } from './part-clients.ts'

/** What is logged at the end of a job. */
interface EndedJob extends Pick<Job, 'name' | 'caller' | 'by'> {
  /** The addresses of all its parts. */
  addrs: string[]
  /** The number of ended parts by state. */
  counts: Record<string, number>
}

/** A job that has not finished. */
interface UnfinishedJob extends JobSummary, Pick<EndedJob, 'counts'> {
  parts: PartClients
}

/** What events and the log have of a job: no payloads, which may be long. */
export interface JobSummary extends Pick<Job, 'name' | 'caller' | 'by'> {
  /** By step. */
  commands: string[]
}

export const summaryOf = ({ name, caller, by, steps }: Pick<Job, 'name' | 'caller' | 'by' | 'steps'>): JobSummary => ({
  name,
  ...(caller !== undefined && { caller }),
  by,
  commands: steps.map(({ command }) => command),
})

export interface JobEventsDeps {
  events: Events
  log: Log
}

export interface JobEvents {
  /** The job has been stored with these parts. */
  created(id: number, job: Omit<New<Job>, 'created'>, parts: readonly Part[]): void
  /** Continues a job of an earlier process; `parts` are some of those that have not ended. */
  resumed(job: Job, parts: readonly (Part & { index: number })[]): void
  /** The updates have been stored. */
  updated(updates: readonly PartUpdate[]): void
}

export const isEnd = (state: PartState | undefined): state is PartState =>
  state !== undefined && state !== 'queued' && state !== 'sent'

export function createJobEvents({ events, log }: JobEventsDeps): JobEvents {
  const jobs = new Map<number, UnfinishedJob>()

  function endPart(id: number, job: UnfinishedJob, index: number, { state, reason }: EndedPart): void {
    if (!isEnd(state)) return
    const part = job.parts.take(index)
    if (!part) return
    const command = job.commands[part.step] ?? ''
    job.counts[state] = (job.counts[state] ?? 0) + 1
    const event = { type: 'job-part', job: id, addr: part.client, command, state } as const
    // Without a spread where there is none, because thousands of parts end at once.
    events.emit(reason ? { ...event, reason } : event)
  }

  function finishIfDone(id: number, { name, caller, by, counts, parts }: UnfinishedJob): void {
    if (parts.size > 0) return
    jobs.delete(id)
    const addrs = parts.addrs()
    logEnd(id, { name, by, addrs, counts, ...(caller !== undefined && { caller }) }, log)
    events.emit({ type: 'job-finished', job: id, name, by, counts, addrs })
  }

  return {
    created(id, newJob, parts) {
      const job: UnfinishedJob = { ...summaryOf(newJob), parts: new PartClients(), counts: {} }
      jobs.set(id, job)
      for (const [index, part] of parts.entries()) job.parts.add(index, part)
      const { name, origin, by } = newJob
      events.emit({ type: 'job-created', job: id, name, origin, by, addrs: job.parts.addrs() })
      parts.forEach((part, index) => {
        endPart(id, job, index, part)
      })
      finishIfDone(id, job)
    },

    resumed(resumedJob, parts) {
      const { id } = resumedJob
      const job = jobs.get(id) ?? { ...summaryOf(resumedJob), parts: new PartClients(), counts: {} }
      for (const part of parts) job.parts.add(part.index, part)
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
