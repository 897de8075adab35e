// A job that has not finished, as far as this host knows it, and what is logged at its end.
import type { FinishedJob, Job } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import { clientFields, describeClients } from '../../log/shown-text.ts'
import type { FleetEvent } from '../../system/events.ts'

export type PartEvent = Extract<FleetEvent, { type: 'job-part' }>

export interface UnfinishedJob {
  /** Of jobs that this host has or had parts of. */
  summary?: JobSummary
  /** Whether job-created has been emitted here or has come from another host. */
  isCreated: boolean
  /** Events that wait for job-created. */
  waiting: PartEvent[]
  /** How many job-part events have been emitted here or have come from other hosts. */
  ended: number
  /** No part is unfinished. */
  finished?: Ending
}

type Ending = Pick<FinishedJob, 'counts' | 'clients'>

/** What events and the log have of a job: no payloads, which may be long. */
interface JobSummary extends Pick<Job, 'name' | 'caller' | 'by'> {
  /** By step. */
  commands: string[]
}

export const summaryOf = ({ name, caller, by, steps }: Pick<Job, 'name' | 'caller' | 'by' | 'steps'>): JobSummary => ({
  name,
  ...(caller !== undefined && { caller }),
  by,
  commands: steps.map(({ command }) => command),
})

/** One line per job: `job 5 shell-run, by token lab from 10.1.1.9: 2 success, 1 failure; 3 clients: 10.1.1.20, …`. */
export function logEnd(
  job: number,
  { name, caller, by }: JobSummary,
  counts: Record<string, number>,
  clients: string[],
  log: Log,
): void {
  const results = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
  const maker = [...(by === '' ? [] : [` by ${by}`]), ...(caller === undefined ? [] : [` from ${caller}`])].join('')
  const what = `job ${job} ${name}${maker && `,${maker}`}: ${results.join(', ') || 'no parts'}; ${describeClients(clients)}`
  log.info('jobs', what, { event: 'job-finished', job, command: name, by, caller, counts, ...clientFields(clients) })
}
