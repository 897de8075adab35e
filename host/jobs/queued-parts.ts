// The parts of jobs as they wait in the queues of their clients.
import type { Job, Part } from '../../stores/store.ts'
import type { QueuedPart } from './client-queue.ts'
import type { StartRules } from './start-rules.ts'

export type QueuedJob = Pick<Job, 'id' | 'account' | 'steps' | 'conditions'>

/** `rules`: of each step of the job. Undefined when the job has no such step. */
export function toQueuedPart(
  { id, account, steps }: QueuedJob,
  { step, queued, expires }: Pick<Part, 'step' | 'queued' | 'expires'>,
  index: number,
  rules: readonly (StartRules | undefined)[],
): QueuedPart | undefined {
  const jobStep = steps[step]
  if (!jobStep) return undefined
  const { command, payload } = jobStep
  return { job: id, index, command, payload, account, queued, expires, rules: rules[step] }
}
