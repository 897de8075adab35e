// Reads jobs with all their parts, and waits until a job has ended.
import { setTimeout as wait } from 'node:timers/promises'
import type { JobAnswer, JobDetails, PartState } from '../../contract/answers.ts'
import type { CliContext } from '../context.ts'
import { withProgress } from '../terminal/interrupts.ts'
import { formatBar } from '../terminal/progress-bar.ts'
import type { ApiClient } from './client.ts'

/** In the order in which they are shown. */
export const partStates: PartState[] = ['success', 'failure', 'skipped', 'expired', 'cancelled', 'sent', 'queued']

/** `1 failure`, `2 sent`: the states that occur. */
export const listCounts = (counts: JobAnswer['counts'], states = partStates): { state: PartState; text: string }[] =>
  states.filter(state => counts[state] > 0).map(state => ({ state, text: `${counts[state]} ${state}` }))

/** Larger than any part's number: the response has the counts and no parts. */
const afterLastPart = 999_999_999

const firstPollMilliseconds = 100
const maximumPollMilliseconds = 1000

/** Resolves when all parts have ended. Ctrl-C ends the program; the job continues. */
export function waitForJob(context: CliContext, id: number): Promise<void> {
  const { connect, progress } = context
  const { call } = connect()
  const started = Date.now()
  return withProgress(context, `job ${id} continues; fleet job ${id} shows its results`, async () => {
    for (let pause = firstPollMilliseconds; ; pause = Math.min(maximumPollMilliseconds, pause * 1.5)) {
      const { body: job } = await call<JobAnswer>(`GET /jobs/${id}?after=${afterLastPart}`)
      if (isEnded(job.counts)) return
      progress(progressLine(job, Math.round((Date.now() - started) / 1000)))
      await wait(pause)
    }
  })
}

export const isEnded = ({ queued, sent }: JobAnswer['counts']) => queued + sent === 0

const barLength = 24

function progressLine({ id, name, counts }: JobAnswer, seconds: number): string {
  const total = sum(counts)
  const ended = total - counts.queued - counts.sent
  const bar = formatBar((ended / Math.max(1, total)) * 100, barLength)
  const notable = listCounts(counts, ['failure', 'skipped', 'sent', 'queued']).map(({ text }) => text)
  return `job ${id} ${name}  ${bar} ${ended}/${total}  ${notable.length > 0 ? `${notable.join(', ')}  ` : ''}${seconds} s`
}

const sum = (counts: JobAnswer['counts']) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The job with its parts of all pages; of one client with their outputs. */
export const readJob = (api: ApiClient, id: number, client?: string): Promise<JobDetails> =>
  readPages(api, `GET /jobs/${id}?${client === undefined ? '' : new URLSearchParams({ client })}`, ({ parts }) => parts)

/** The first page of an answer with the entries of all its pages. `route` has a query. */
export async function readPages<Page extends { next?: number }>(
  { call }: ApiClient,
  route: string,
  entriesOf: (page: Page) => unknown[],
): Promise<Page> {
  const { body: first } = await call<Page>(route)
  for (let { next } = first; next !== undefined; ) {
    const { body } = await call<Page>(`${route}&after=${next}`)
    entriesOf(first).push(...entriesOf(body))
    next = body.next
  }
  return { ...first, next: undefined }
}

/** Whether every client succeeded with every step. */
export const isSuccess = ({ counts }: JobAnswer): boolean => counts.success === sum(counts)
