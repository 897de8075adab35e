// What the tests of several hosts have in common.

import type { ManualClock } from '../../host/test-kit/manual-clock.ts'
import type { IndexedPart } from '../../stores/store.ts'
import type { JobsLab } from '../harness/jobs-lab.ts'
import type { LabHost } from '../harness/lab-host.ts'
import { pollUntil } from '../harness/poll.ts'

export interface HostsContext {
  lab: JobsLab
  clock: ManualClock
  a: LabHost
  b: LabHost
  c: LabHost
}

/** By the sentence that each of them checks. */
export type HostTests = Record<string, (context: HostsContext) => Promise<void>>

/** Addresses with a record. */
export const [one, two, three] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const

export const parts = ({ store }: JobsLab, job: number): Promise<IndexedPart[]> => store.jobs.parts(job, { limit: 1e6 })

/** Waits for the end of the job in the feed; the types of its events in their order, with the host of each. */
export async function eventsOf({ feed }: JobsLab, job: number): Promise<string[]> {
  const own = () => feed.filter(({ event }) => 'job' in event && event.job === job)
  await pollUntil(() => own().some(({ event }) => event.type === 'job-finished'))
  return own().map(({ host, event }) => `${host} ${event.type}${'state' in event ? ` ${event.state}` : ''}`)
}
