// Reads jobs with all their parts, and waits until a job has ended.
import { setTimeout as wait } from 'node:timers/promises'
import type { PartCounts, PartState } from '../../../stores/store.ts'
import type { CliContext } from '../context.ts'
import { withProgress } from '../terminal/interrupts.ts'
import { formatBar, type PartProgress } from '../terminal/progress-bar.ts'
import type { PartWait } from '../terminal/wait-words.ts'
import type { ApiClient } from './client.ts'

/** A job in the response of `GET /jobs`. */
export interface JobEntry {
  id: number
  /** ISO time. */
  created: string
  origin: string
  name: string
  /** The name of who asked for it. Other daemons with this API leave it out. */
  by?: string
  /** The address of who asked for it; absent for schedules. */
  caller?: string
  /** Of the first steps. */
  commands: string[]
  /** The arguments of these commands; null for those that are too long. Other daemons with this API leave them out. */
  arguments?: (Record<string, unknown> | null)[]
  /** How many steps the job has, when `commands` has not all of them. */
  steps?: number
  counts: PartCounts
}

export interface PartEntry {
  client: string
  step: number
  command: string
  state: PartState
  reason?: string
  queued?: string
  sent?: string
  ended?: string
  /** How far it is, while it copies an image. */
  progress?: PartProgress
  /** Why it is queued although its client could take it. */
  waiting?: PartWait
  /** Only when the parts of one client are read. */
  output?: string
  /** The output was dropped, because newer ones needed its space. */
  output_dropped?: true
}

/** A job in the response of `GET /jobs/<id>`. */
export interface JobDetail extends JobEntry {
  parts: PartEntry[]
  /** Where the next page of parts starts. */
  next?: number
}

/** In the order in which they are shown. */
export const partStates: PartState[] = ['success', 'failure', 'skipped', 'expired', 'cancelled', 'sent', 'queued']

/** `1 failure`, `2 sent`: the states that occur. */
export const listCounts = (counts: PartCounts, states = partStates): { state: PartState; text: string }[] =>
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
      const { body: job } = await call<JobEntry>(`GET /jobs/${id}?after=${afterLastPart}`)
      if (isEnded(job.counts)) return
      progress(progressLine(job, Math.round((Date.now() - started) / 1000)))
      await wait(pause)
    }
  })
}

export const isEnded = ({ queued, sent }: PartCounts) => queued + sent === 0

const barLength = 24

function progressLine({ id, name, counts }: JobEntry, seconds: number): string {
  const total = sum(counts)
  const ended = total - counts.queued - counts.sent
  const bar = formatBar((ended / Math.max(1, total)) * 100, barLength)
  const notable = listCounts(counts, ['failure', 'skipped', 'sent', 'queued']).map(({ text }) => text)
  return `job ${id} ${name}  ${bar} ${ended}/${total}  ${notable.length > 0 ? `${notable.join(', ')}  ` : ''}${seconds} s`
}

const sum = (counts: PartCounts) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The job with its parts of all pages; of one client with their outputs. */
export async function readJob({ call }: ApiClient, id: number, client?: string): Promise<JobDetail> {
  const filter = client === undefined ? '' : `client=${encodeURIComponent(client)}&`
  const { body: job } = await call<JobDetail>(`GET /jobs/${id}?${filter}`)
  const { next: first, parts, ...rest } = job
  for (let next = first; next !== undefined; ) {
    const { body } = await call<JobDetail>(`GET /jobs/${id}?${filter}after=${next}`)
    parts.push(...body.parts)
    next = body.next
  }
  return { ...rest, parts }
}

/** Whether every client succeeded with every step. */
export const isSuccess = ({ counts }: JobEntry): boolean => counts.success === sum(counts)
