// How long parts of jobs run, and until when.
import type { Job, Part, PartPage, Store } from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import { allParts, timeText } from './job-report.ts'

export interface RunningTimesDeps {
  clock: Clock
  /** Seconds; undefined for a command that is not sent to agents. */
  deadlineOf(command: string, payload: unknown, sent: number): number | undefined
}

/** Of a part; undefined unless it runs. */
export function runningTimes({ steps }: Job, { state, sent, step }: Part, { clock, deadlineOf }: RunningTimesDeps) {
  if (state !== 'sent') return undefined
  const { command, payload } = steps[step] ?? { command: '', payload: {} }
  const deadline = deadlineOf(command, payload, sent)
  const seconds = Math.max(0, Math.round((clock.now() - sent) / 1000))
  return { seconds, deadline: deadline === undefined ? undefined : timeText(sent + deadline * 1000) }
}

/** Of the part that runs longest, of all of a job or those of `clients`; undefined when none runs. */
export async function longestRunning(
  job: Job,
  clients: PartPage['clients'],
  deps: RunningTimesDeps & { store: Pick<Store, 'jobs'> },
) {
  const parts = await allParts(deps.store, job.id, { clients, state: 'sent' })
  const [oldest] = parts.sort((a, b) => a.sent - b.sent)
  return oldest && runningTimes(job, oldest, deps)
}
