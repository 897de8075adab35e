// `fleet night`: how the schedules of last night went, on which computers not and why, what else failed, and what waits.
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { FiringAnswer, JobAnswer, JobDetails } from '../../contract/answers.ts'
import { readJob } from '../api/job-reader.ts'
import { type ComputerRef, readComputers } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { foldByReason } from '../terminal/folded-names.ts'
import { formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, type Paint, paint } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable, withClocks } from '../terminal/text-table.ts'
import { whatOf } from './job-results.ts'
import { read } from './subcommand.ts'
import { durationOf } from './subcommand-options.ts'

/** Jobs with waiting parts that are shown, the newest ones. */
const waitingJobs = '20'

/** Jobs with failures that are searched, from the newest on, for those that no schedule has started. */
const searchedJobs = '100'

/** More are counted. */
const listedJobs = 5

type Computers = ReadonlyMap<string, ComputerRef>

export const night = read({
  command: 'night',
  description: 'how the schedules and planned restores of last night went, what else failed, and what still waits',
  options: { '--since <duration>': 'what was due since then, as 12h or 3d; default: since 18:00 of yesterday' },
  async read({ connect }, { since: text }) {
    const api = connect()
    const since = sinceOf(text)
    const [{ body: ran }, { body: planned }, { body: queued }, { body: failing }] = await Promise.all([
      api.call(`GET /schedule/firings?${new URLSearchParams({ since })}`),
      api.call('GET /image/plans'),
      api.call(`GET /jobs?${new URLSearchParams({ state: 'queued', limit: waitingJobs })}`),
      api.call(`GET /jobs?${new URLSearchParams({ state: 'failure', limit: searchedJobs })}`),
    ])
    const plans = new Set(planned.plans.map(({ schedule }) => schedule))
    const firings = ran.firings.map(firing => ({ ...firing, planned_restore: plans.has(firing.schedule) })).reverse()
    const waiting = await Promise.all(queued.jobs.map(({ id }) => readJob(api, id)))
    const failed = failing.jobs.filter(({ created, schedule }) => schedule === undefined && created >= since).reverse()
    const isOpen = (part: JobDetails['parts'][number]) => isUnfinished(part)
    return {
      since,
      firings,
      failed,
      waiting: waiting.map(job => ({ ...job, parts: job.parts.filter(isOpen) })).reverse(),
    }
  },
  async format({ since, firings, failed, waiting }, { context, width }) {
    const computers = await readComputers(context.connect())
    const problems = firings.flatMap(firing => problemLines(firing, computers))
    const waits = waiting.flatMap(job => waitLines(job, computers))
    return [
      formatTable(firings, columns, width, `no schedule was due since ${formatLocalTime(since)}`),
      ...(problems.length === 0 ? [] : ['', paint('bold', 'Did not succeed'), ...problems]),
      ...(failed.length === 0 ? [] : ['', paint('bold', 'Other jobs that failed'), ...failedLines(failed)]),
      ...(waits.length === 0 ? [] : ['', paint('bold', 'Still waits'), ...waits]),
    ].join('\n')
  },
})

function sinceOf(text: string | undefined): string {
  if (text === undefined) {
    const evening = new Date()
    evening.setDate(evening.getDate() - 1)
    evening.setHours(18, 0, 0, 0)
    return evening.toISOString()
  }
  const duration = durationOf(text, 'mhd')
  if (!duration) throw usageError(`--since: expected a time such as 90m, 12h or 3d, got ${text}`)
  return new Date(Date.now() - duration).toISOString()
}

type Firing = FiringAnswer & { planned_restore: boolean }

const columns: Column<Firing>[] = [
  { title: 'due', value: ({ time }) => formatLocalTime(time) },
  { title: 'what', value: ({ name, planned_restore }) => (planned_restore ? `restore ${name}` : name) },
  { title: 'outcome', value: formatOutcome, colour: colourOf },
  { title: 'ended', value: ({ ended }) => formatLocalTime(ended) },
  'job',
]

/** `28 of 30, 2 failed`, `missed: the daemon did not run`. */
export function formatOutcome({ state, reason, computers, succeeded, failed, waiting }: FiringAnswer): string {
  if (reason !== undefined) return state === 'ended' ? reason : `${state}: ${reason}`
  return [
    `${succeeded} of ${computers}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting > 0 ? [`${waiting} not yet`] : []),
  ].join(', ')
}

function colourOf({ state, failed, waiting }: Firing): Paint {
  if (state === 'refused' || state === 'missed' || failed > 0) return 'red'
  return state === 'empty' || waiting > 0 ? 'yellow' : 'green'
}

/** `job 12 Updates: c[07,09] shell-run: no answer in time`, a line for each reason. */
function problemLines({ job, name, problems }: Firing, computers: Computers): string[] {
  return problems.flatMap(({ command, state, reason, clients, computers: count }) => {
    const why = [state === 'failure' ? '' : state, withClocks(reason ?? '')].filter(Boolean).join(', ') || state
    const more = count > clients.length ? ` and ${count - clients.length} more` : ''
    const named = clients.map(client => ({
      name: nameOf(client, computers),
      reason: `${more} ${command}: ${why}`.trim(),
    }))
    return foldByReason(named).map(text => onOneLine(`job ${job} ${name}: ${text}`))
  })
}

/** `job 12 shell-run by anna: 2 of 30 failed`. */
function failedLines(jobs: JobAnswer[]): string[] {
  const lines = jobs.slice(0, listedJobs).map(({ id, by, counts, ...job }) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return onOneLine(`job ${id} ${whatOf(job)}${by && ` by ${by}`}: ${counts.failure} of ${total} failed`)
  })
  const more = jobs.length - lines.length
  return more > 0 ? [...lines, `and ${more} more: fleet jobs --state failure`] : lines
}

function waitLines({ id, name, parts }: JobDetails, computers: Computers): string[] {
  const first = parts.filter(({ waiting }) => waiting?.for !== 'step')
  const named = first.map(({ client, command, state, waiting }) => {
    const why = (waiting && formatWait(waiting)) ?? (state === 'sent' ? 'runs' : 'is next')
    return { name: nameOf(client, computers), reason: `${command}: ${why}` }
  })
  return foldByReason(named).map(text => onOneLine(`job ${id} ${name}: ${text}`))
}

const nameOf = (client: string, computers: Computers) => computers.get(client)?.name ?? client
