// The computers on which a job of the night did not succeed, and why, in words: a line for each reason.
import { groupBy } from '../../../stores/rules/group-by.ts'
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import { shortReason } from '../../../stores/rules/short-reason.ts'
import { stopperOf } from '../../../stores/rules/stopped-parts.ts'
import type { FiringAnswer, ListedJob, PartState, ReportAnswer } from '../../contract/answers.ts'
import { type ApiClient, readPages } from '../api/client.ts'
import { foldByReason, foldRanges } from '../terminal/folded-names.ts'
import { onOneLine } from '../terminal/terminal.ts'
import { withClocks } from '../terminal/text-table.ts'
import { whatOf } from './job-results.ts'
import type { Computers } from './print-outputs.ts'

/** Jobs with a part in one of these states, of which nobody has asked for the end, are shown. */
const shownStates: readonly PartState[] = ['failure', 'expired', 'skipped']

/** Jobs that are searched of each state, from the newest on, for those that no schedule has started. */
const searchedJobs = '100'

/** More are counted. */
const listedJobs = 10
const listedReasons = 10

/** Why a wake-up is skipped that nobody misses. */
const isOn = 'connected'

/** Without problems one of which it is only known that it has some. */
type OtherJob = ListedJob & { problems: Outcome[] }

/** Of those that have failures and that no schedule has started, the newest first, then those with other problems. */
export async function readOtherJobs(api: ApiClient, since: string): Promise<OtherJob[]> {
  const answers = shownStates.map(state => api.call(`GET /jobs?${new URLSearchParams({ state, limit: searchedJobs })}`))
  const listed = (await Promise.all(answers)).flatMap(({ body }) => body.jobs)
  const others = listed.filter(({ created, schedule }) => schedule === undefined && created >= since)
  const jobs = [...new Map(others.map(job => [job.id, job])).values()]
  const [shown, more] = [jobs.slice(0, listedJobs), jobs.slice(listedJobs)]
  const succeeded = (await api.call(`GET /jobs?state=success&limit=${searchedJobs}`)).body.jobs
  const retries = [...new Map([...succeeded, ...listed].map(job => [job.id, job])).values()]
  const ids = new Set(shown.map(({ id }) => id))
  const isShown = ({ id }: ListedJob) => ids.has(id)
  const read = shown.map(async job => ({ ...job, problems: await problemsOf(api, job, { retries, isShown }) }))
  const missed = (await Promise.all(read)).filter(({ problems }) => problems.length > 0)
  return [...missed, ...more.map(job => ({ ...job, problems: [] }))]
}

type Outcome = ReportAnswer['computers'][number]

/** Whether it says something: not what was stopped and did no harm. */
const isMissed =
  ({ computers: { stopped } }: ListedJob) =>
  ({ state, reason = '' }: Outcome): boolean =>
    state !== 'success' &&
    !isUnfinished({ state }) &&
    !(state === 'skipped' && reason === isOn) &&
    (stopped === 0 || stopperOf(reason) === undefined)

/** Without what a retry has done since, or has not done either and is shown itself. */
async function problemsOf(
  api: ApiClient,
  job: ListedJob,
  { retries, isShown }: { retries: readonly ListedJob[]; isShown(job: ListedJob): boolean },
): Promise<Outcome[]> {
  const missed = (await readOutcomes(api, job.id, { only: 'missing' })).filter(isMissed(job))
  const own = missed.length > 0 ? retries.filter(({ retry_of }) => retry_of === job.id) : []
  const outcomes = own.map(async retry => {
    const isRepeated = isShown(retry) ? isMissed(retry) : () => false
    const rows = await readOutcomes(api, retry.id)
    return rows.flatMap(row => (row.state === 'success' || isRepeated(row) ? row.client : []))
  })
  const repeated = new Set((await Promise.all(outcomes)).flat())
  return missed.filter(({ client }) => !repeated.has(client))
}

async function readOutcomes({ call }: ApiClient, id: number, query = {}): Promise<Outcome[]> {
  const report = await readPages(
    page => call(`GET /job/report?${new URLSearchParams({ id: String(id), ...query, ...page })}`),
    ({ computers }) => computers,
  )
  return report.computers
}

/** `job 15 wol by anna: c[07,09] wol: did not connect within 60 s`; of several jobs `jobs 15-17: c07 …`. */
export function otherLines(jobs: OtherJob[], computers: Computers): string[] {
  const read = jobs.filter(({ problems }) => problems.length > 0)
  const entries = read.flatMap(({ id, by, problems, ...job }) => {
    const rows = problems.map(({ client, ...row }) => ({ name: nameOf(client, computers), reason: wordsOf(row) }))
    const folded = foldByReason(rows)
    const shown = folded.slice(0, listedReasons)
    const rest = folded.length - shown.length
    const texts = rest > 0 ? [...shown, `and ${rest} more reasons: fleet report ${id}`] : shown
    return texts.map(text => ({ id, what: `job ${id} ${whatOf(job)}${by && ` by ${by}`}`, text }))
  })
  const lines = Array.from(groupBy(entries, ({ text }) => text).values(), group => {
    const ids = group.map(({ id }) => id).sort((a, b) => a - b)
    const what = group.length > 1 ? `jobs ${foldRanges(ids.map(String)).join()}` : group[0]?.what
    return onOneLine(`${what}: ${group[0]?.text}`)
  })
  const more = jobs.length - read.length
  return more > 0 ? [...lines, `and ${more} more: ${shownStates.map(listWords).join(', ')}`] : lines
}

const listWords = (state: PartState) => `fleet jobs --state ${state}`

/** `job 12 Updates: c[07,09] shell-run: no answer in time`. */
export function firingLines({ job, name, problems }: FiringAnswer, computers: Computers): string[] {
  return problems.flatMap(({ clients, computers: count, ...row }) => {
    const more = count > clients.length ? `and ${count - clients.length} more ` : ''
    const named = clients.map(client => ({ name: nameOf(client, computers), reason: more + wordsOf(row) }))
    return foldByReason(named).map(text => onOneLine(`job ${job} ${name}: ${text}`))
  })
}

interface Problem {
  state: PartState
  command?: string
  reason?: string
}

/** `shell-run: expired, off, woken 05:40, did not connect`. */
function wordsOf({ state, command, reason = '' }: Problem): string {
  const short = shortReason(reason)
  const words = (state === 'skipped' && skipWords[short]) || withClocks(short)
  return `${command}: ${[state === 'failure' ? '' : state, words].filter(Boolean).join(', ') || state}`
}

/** Where the reason of the API is one word. */
const skipWords: Readonly<Record<string, string>> = {
  maintenance: 'in maintenance',
  [isOn]: 'on already',
  busy: 'busy with another command',
  unknown: 'without a record',
}

export const nameOf = (client: string, computers: Computers): string => computers.get(client)?.name ?? client
