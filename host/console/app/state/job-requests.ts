// What users ask of jobs: to run again what did not succeed, to cancel what waits, and to stop what runs.
import { endsQueued, retriedStates } from '../../../../stores/rules/part-states.ts'
import type { PartAnswer } from '../../../contract/answers.ts'
import { post } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { confirmed } from '../parts/confirmation.tsx'
import { isOnReason, listOf, stateCount } from '../parts/job-words.ts'
import { questionOf } from '../parts/target-words.ts'
import { commandOf } from './commands.ts'
import type { JobView, PartView } from './jobs.ts'
import { computers } from './lab.ts'
import { report } from './notices.ts'
import { type ShownState, stateOf } from './part-counts.ts'

export interface Retry {
  only?: 'failed'
  /** Wakes the computers. */
  wake?: true
  /** `3 failed and 5 skipped`. */
  words: string
  states: readonly ShownState[]
}

/** What can be run again, each by a button of its own. */
export function retriesOf({ counts, isFinished, parts }: JobView): Retry[] {
  if (!isFinished.value) return []
  const useful = new Set(parts.value.map(({ live }) => live.value).flatMap(part => (isOn(part) ? [] : stateOf(part))))
  const among = (each: readonly ShownState[]) => each.filter(state => useful.has(state))
  const wordsOf = (each: readonly ShownState[]) => listOf(each.map(state => stateCount(state, counts.value[state])))
  // For the daemon what was stopped has failed.
  const failed = among(['failure', 'stopped'])
  const states = among(['failure', 'stopped', ...retriedStates.filter(state => state !== 'failure')])
  return [
    ...(failed.length > 0 ? [{ only: 'failed', words: wordsOf(failed), states: failed } as const] : []),
    ...(states.length > failed.length ? [{ words: wordsOf(states), states }] : []),
    ...(retriedStates.some(state => endsQueued(state) && counts.value[state] > 0) && parts.value.some(waitedForOff)
      ? [{ wake: true, words: wordsOf(states), states } as const]
      : []),
  ]
}

const isOn = ({ state, reason }: PartAnswer): boolean => state === 'skipped' && reason === isOnReason

/** What has waited waits again, so that its computer gets it when it is awake. */
const waitedForOff = ({ client, live }: PartView): boolean =>
  endsQueued(live.value.state) && computers.value.get(client)?.live.value.condition === 'off'

/** Returns the id of the new job; undefined when it was refused or not wanted. */
export async function retryJob(
  { id, job, parts }: JobView,
  { only, wake, states }: Retry,
): Promise<number | undefined> {
  const { name = '', commands = [] } = job.peek() ?? {}
  if (commands.some(each => commandOf(each)?.isDestructive)) {
    const retried = parts.peek().filter(({ live }) => states.includes(stateOf(live.peek())))
    const clients = clientsOf(retried)
    const title = t('job.retryTitle')
    if (!(await confirmed(title, questionOf(name, clients), title, clients))) return undefined
  }
  const reply = await post('/job/retry', { id: String(id), ...(only && { only }), ...(wake && { wake }) })
  return report(reply) ? reply.job : undefined
}

const clientsOf = (parts: readonly PartView[]): string[] => [...new Set(parts.map(({ client }) => client))]

/** Ends what runs and cancels what waits. */
export async function stopJob({ id, parts }: JobView): Promise<void> {
  const running = clientsOf(parts.peek().filter(({ live }) => live.peek().state === 'sent'))
  const action = t('job.stop')
  if (await confirmed(action, questionOf('stop', running), action, running))
    report(await post('/job/stop', { id: String(id) }))
}

export async function cancelJob({ id }: JobView): Promise<void> {
  report(await post('/job/cancel', { id: String(id) }), t('job.cancelled'))
}
