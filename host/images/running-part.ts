// Finds the part of a job that a client is running.
import type { Store } from '../../stores/store.ts'

export interface RunningPart {
  job: number
  /** Index in the job's steps. */
  step: number
}

/** Jobs that may have such a part: one, and those whose end is being stored. */
const maxJobs = 10

/** Undefined also while the part is not stored yet: that may be after it was sent. */
export async function findRunningPart(
  { jobs }: Pick<Store, 'jobs'>,
  client: string,
  command: string,
): Promise<RunningPart | undefined> {
  for (const { id, steps } of await jobs.list({ state: 'sent', command, client, limit: maxJobs })) {
    const parts = await jobs.parts(id, { client, limit: steps.length, outputs: false })
    const part = parts.find(({ state, step }) => state === 'sent' && steps[step]?.command === command)
    if (part) return { job: id, step: part.step }
  }
  return undefined
}
