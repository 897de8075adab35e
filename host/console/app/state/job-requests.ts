// What users ask of jobs: to run again what did not succeed, and to cancel what waits.
import { signal } from '@preact/signals'
import { retriedStates } from '../../../../stores/rules/part-states.ts'
import type { PartState } from '../../../contract/answers.ts'
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { confirmed } from '../parts/confirmation.tsx'
import { listOf, stateCount } from '../parts/job-words.ts'
import { questionOf } from '../parts/target-words.ts'
import { commandOf } from './commands.ts'
import type { JobView } from './jobs.ts'
import { report } from './notices.ts'

/** The job that the live panel shows; undefined when it was closed. */
export const shownJob = signal<number | undefined>(undefined)

export interface Retry {
  only?: 'failed'
  /** `3 failed and 5 skipped`. */
  words: string
  states: readonly PartState[]
}

/** What can be run again, each by a button of its own. */
export function retriesOf({ counts, isFinished }: JobView): Retry[] {
  if (!isFinished.value) return []
  const states = retriedStates.filter(state => counts.value[state] > 0)
  const wordsOf = (each: readonly PartState[]) => listOf(each.map(state => stateCount(state, counts.value[state])))
  const failed: PartState[] = ['failure']
  return [
    ...(states.includes('failure') ? [{ only: 'failed', words: wordsOf(failed), states: failed } as const] : []),
    ...(states.some(state => state !== 'failure') ? [{ words: wordsOf(states), states }] : []),
  ]
}

/** Returns the id of the new job; undefined when it was refused or not wanted. */
export async function retryJob({ id, job, parts }: JobView, { only, states }: Retry): Promise<number | undefined> {
  const { name = '', commands = [] } = job.peek() ?? {}
  if (commands.some(each => commandOf(each)?.isDestructive)) {
    const retried = parts.peek().filter(({ live }) => states.includes(live.peek().state))
    const clients = [...new Set(retried.map(({ client }) => client))]
    const title = t('job.retryTitle')
    if (!(await confirmed(title, questionOf(name, clients), title, clients))) return undefined
  }
  const reply = await post('/job/retry', { id: String(id), ...(only && { only }) })
  return report(reply) ? reply.job : undefined
}

export async function cancelJob({ id }: JobView): Promise<void> {
  report(await post('/job/cancel', { id: String(id) }), t('job.cancelled'))
}
