// `fleet night`: how the schedules of last night went, on which computers not and why, what else did not, and what waits.
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { FiringAnswer, JobDetails } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { readJob } from '../api/job-reader.ts'
import { readComputers } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { agentHint } from '../terminal/agent-hint.ts'
import { countStates } from '../terminal/computer-states.ts'
import { foldByReason } from '../terminal/folded-names.ts'
import { formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, type Paint, paint } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { firingLines, nameOf, otherLines, readOtherJobs } from './night-problems.ts'
import type { Computers } from './print-outputs.ts'
import { read } from './subcommand.ts'
import { durationOf } from './subcommand-options.ts'

/** Jobs with waiting parts that are shown, the newest ones. */
const waitingJobs = '20'

export const night = read({
  command: 'night',
  description: 'how the schedules and planned restores of last night went, what else did not succeed, and what waits',
  options: {
    '--since <duration>':
      'what was due since then: 12h, 3d, 2026-11-27 or "2026-11-27 18:00"; default: 18:00 of yesterday',
  },
  async read({ connect }, { since: text }) {
    const api = connect()
    const since = sinceOf(text)
    const [{ body: ran }, { body: planned }, { body: queued }, others, now] = await Promise.all([
      api.call(`GET /schedule/firings?${new URLSearchParams({ since })}`),
      api.call('GET /image/plans'),
      api.call(`GET /jobs?${new URLSearchParams({ state: 'queued', limit: waitingJobs })}`),
      readOtherJobs(api, since),
      readNow(api),
    ])
    const plans = new Set(planned.plans.map(({ schedule }) => schedule))
    const firings = ran.firings.map(firing => ({ ...firing, planned_restore: plans.has(firing.schedule) })).reverse()
    const waiting = await Promise.all(queued.jobs.map(({ id }) => readJob(api, id)))
    const isOpen = (part: JobDetails['parts'][number]) => isUnfinished(part)
    return {
      since,
      firings,
      others,
      now,
      waiting: waiting.map(job => ({ ...job, parts: job.parts.filter(isOpen) })).reverse(),
    }
  },
  async format({ since, firings, others, waiting, now }, { context, width }) {
    const computers = await readComputers(context.connect())
    const problems = firings.flatMap(firing => firingLines(firing, computers))
    const waits = waiting.flatMap(job => waitLines(job, computers))
    const rest = otherLines(others, computers)
    return [
      formatTable(firings, columns, width, `no schedule was due since ${formatLocalTime(since)}`),
      ...(problems.length === 0 ? [] : ['', paint('bold', 'Did not succeed'), ...problems]),
      ...(rest.length === 0 ? [] : ['', paint('bold', 'Did not succeed in other jobs'), ...rest]),
      ...agentHint([...problems, ...rest].join('\n')),
      ...(waits.length === 0 ? [] : ['', paint('bold', 'Still waits'), ...waits]),
      '',
      paint('gray', nowWords(now)),
    ].join('\n')
  },
})

/** The states of all computers, and how many failures nobody has seen: of more than a page they are `500 or more`. */
async function readNow(api: ApiClient) {
  const [computers, { body: connected }, { body: failed }] = await Promise.all([
    readComputers(api),
    api.call('GET /clients'),
    api.call('GET /failures'),
  ])
  const on = new Set(connected.clients.map(({ addr }) => addr))
  const off = [...computers.keys()].filter(addr => !on.has(addr)).map(() => ({ state: 'off' as const }))
  return { states: countStates([...connected.clients, ...off]), unseen: failed.failures.length, more: 'next' in failed }
}

function nowWords({ states, unseen, more }: Awaited<ReturnType<typeof readNow>>): string {
  const off = states.includes('off') ? ' (fleet clients --state off)' : ''
  const count = more ? `${unseen} or more failures` : plural(unseen, 'failure')
  return `now: ${states || 'no computers'}${off}; ${count} that nobody has seen${unseen > 0 ? ': fleet failures' : ''}`
}

function sinceOf(text: string | undefined): string {
  if (text === undefined) {
    const evening = new Date()
    evening.setDate(evening.getDate() - 1)
    evening.setHours(18, 0, 0, 0)
    return evening.toISOString()
  }
  const duration = durationOf(text, 'mhd')
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(text) ?? []
  const since = new Date(duration ? Date.now() - duration : `${day}T${time}`)
  if (Number.isNaN(since.getTime()))
    throw usageError(`--since: expected a time such as 90m, 3d or 2026-11-27, got ${text}`)
  return since.toISOString()
}

type Firing = FiringAnswer & { planned_restore: boolean }

const columns: Column<Firing>[] = [
  { title: 'due', value: ({ time }) => formatLocalTime(time) },
  { title: 'what', value: ({ name, planned_restore }) => (planned_restore ? `restore ${name}` : name) },
  { title: 'outcome', value: formatOutcome, colour: colourOf },
  { title: 'ended', value: ({ ended }) => formatLocalTime(ended) },
  'job',
]

/** `26 of 30, 2 failed, 2 not run`, `missed: the daemon did not run`. */
export function formatOutcome({ state, reason, computers, succeeded, waiting, ...others }: FiringAnswer): string {
  if (reason !== undefined) return state === 'ended' ? reason : `${state}: ${reason}`
  return [
    `${succeeded} of ${computers}`,
    ...(others.failed > 0 ? [`${others.failed} failed`] : []),
    ...(others.not_run > 0 ? [`${others.not_run} not run`] : []),
    ...(waiting > 0 ? [`${waiting} not yet`] : []),
  ].join(', ')
}

function colourOf({ state, failed, not_run, waiting }: Firing): Paint {
  if (state === 'refused' || state === 'missed' || failed > 0) return 'red'
  return state === 'empty' || waiting + not_run > 0 ? 'yellow' : 'green'
}

function waitLines({ id, name, parts }: JobDetails, computers: Computers): string[] {
  const first = parts.filter(({ waiting }) => waiting?.for !== 'step')
  const named = first.map(({ client, command, state, waiting }) => {
    const why = (waiting && formatWait(waiting)) ?? (state === 'sent' ? 'runs' : 'is next')
    return { name: nameOf(client, computers), reason: `${command}: ${why}` }
  })
  return foldByReason(named).map(text => onOneLine(`job ${id} ${name}: ${text}`))
}
