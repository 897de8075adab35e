// `fleet jobs` lists jobs, `fleet job` shows, cancels, stops or retries one.
import { shownStates, unfinishedStates } from '../../../stores/rules/part-states.ts'
import type { JobAnswer, JobDetails, PartState } from '../../contract/answers.ts'
import { isEnded, isSuccess, listCounts, readJob, readWithOutputs, waitForJob } from '../api/job-reader.ts'
import { readComputers, resolveAddresses } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { formatSeconds } from '../terminal/progress-bar.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import {
  type Column,
  countColumn,
  formatClock,
  formatLocalTime,
  formatTable,
  plural,
  timeColumn,
} from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import { printJobOutputs, printResults, reportJob, watchJob, whatOf } from './job-results.ts'
import { type FlagsOf, read, subcommand } from './subcommand.ts'
import { waitOption, yesOption } from './subcommand-options.ts'

/** The parts in these states. */
const partsColumn = (title: string, states: readonly PartState[]): Column<JobAnswer> =>
  countColumn(
    title,
    ({ counts }) => states.reduce((sum, state) => sum + counts[state], 0),
    stateColours[states[0] ?? ''],
  )

const namedStates = ['success', 'failure', 'skipped', ...unfinishedStates]

const columns: Column<JobAnswer>[] = [
  'id as job',
  { title: 'what', value: whatOf },
  'origin as from',
  'by',
  // Short titles: with longer ones a row would not fit into 80 columns.
  partsColumn('ok', ['success']),
  partsColumn('fail', ['failure']),
  partsColumn('skip', ['skipped']),
  partsColumn(
    'drop',
    shownStates.filter(state => !namedStates.includes(state)),
  ),
  partsColumn('wait', unfinishedStates),
  timeColumn('created'),
]

/** `1:30, until 06:30`. */
const runsColumn: Column<JobAnswer> = {
  title: 'runs',
  value: ({ running }) =>
    running &&
    [formatSeconds(running.seconds), running.deadline && `until ${formatClock(running.deadline)}`]
      .filter(Boolean)
      .join(', '),
}

const columnsOf = (jobs: JobAnswer[]) => (jobs.some(({ running }) => running) ? [...columns, runsColumn] : columns)

export const jobs = read({
  command: 'jobs',
  description: 'list jobs, the newest first',
  options: {
    '--state <state>': { text: 'jobs with a part in this state', choices: shownStates },
    '--command <name>': 'jobs with this command',
    '--client <ip or name>': 'jobs for this client',
    '--limit <count>': { text: 'at most this many', default: '20' },
  },
  canWatch: true,
  async read({ connect }, { state, command, client, limit }) {
    const query = new URLSearchParams({ limit })
    if (state !== undefined) query.set('state', state)
    if (command !== undefined) query.set('command', command)
    if (client !== undefined) query.set('client', (await resolveAddresses(connect(), { client: [client] })).join())
    return (await connect().call(`GET /jobs?${query}`)).body
  },
  format: ({ jobs }, { width }) => formatTable(jobs, columnsOf(jobs), width, 'no jobs'),
})

const cancel = subcommand({
  command: 'cancel <id>',
  description: 'cancel the queued parts of a job',
  async run(context, _flags, text) {
    const job = await readUnfinished(context, text)
    if (!job) return
    const { id, name, counts } = job
    await context.connect().call('POST /job/cancel', { id: String(id) })
    const running = counts.sent > 0 ? `; ${plural(counts.sent, 'client')} go on` : ''
    context.print(`job ${id} ${name}: ${counts.queued} waiting cancelled${running}`)
  },
})

const stop = subcommand({
  command: 'stop <id>',
  description: 'end the running parts of a job, cancel the queued ones; what scripts have printed is kept',
  options: yesOption,
  async run(context, { yes }, text) {
    const job = await readUnfinished(context, text)
    if (!job) return
    const { id, name, counts } = job
    const describe = async () => `Stop job ${id} ${name}: ${counts.sent} running, ${counts.queued} waiting`
    await confirm(context, yes, { where: 'job stop', needsConsent: false, describe })
    await context.connect().call('POST /job/stop', { id: String(id) })
    await waitForJob(context, id)
    const ended = await readJob(context.connect(), id)
    context.print(
      `job ${id} ${name} stopped: ${listCounts(ended.counts)
        .map(each => each.text)
        .join(', ')}`,
    )
  },
})

/** Says so and fails when the job has ended. */
async function readUnfinished({ connect, print, fail }: CliContext, text: string): Promise<JobDetails | undefined> {
  const job = await readJob(connect(), Number(requireJobId('job', text)))
  const { id, name, parts, counts } = job
  if (!isEnded(counts)) return job
  const ended = parts.reduce((last, { ended = '' }) => (ended > last ? ended : last), '')
  const result = listCounts(counts).map(each => each.text)
  print(`job ${id} ${name} has ended ${ended && `at ${formatLocalTime(ended)}`}: ${result.join(', ')}`)
  fail()
  return undefined
}

const retry = subcommand({
  command: 'retry <id>',
  description: 'start a new job with the parts that did not succeed',
  options: { '--failed': 'only parts that failed', '--wake': 'wake clients that are off', ...waitOption },
  async run(context, { failed, wake, wait }, text) {
    const payload = { id: requireJobId('job', text), only: failed && 'failed', wake }
    const { job } = await context.connect().call('POST /job/retry', payload)
    await reportJob(context, job, { wait })
  },
})

const showOptions = {
  ...waitOption,
  '--watch': 'follow its parts until all have ended, with bars for copies of images',
  '--output': 'print what its scripts printed',
  '--client <ip or name...>': 'only these clients; with --json also the outputs of their scripts',
  '--json': 'print JSON',
} as const

export const job = subcommand({
  command: 'job <id>',
  description: 'show a job with its parts; cancel, stop or retry one',
  options: showOptions,
  children: [cancel, stop, retry],
  async run(context, flags, text) {
    const id = Number(requireJobId('job', text))
    if (flags.watch) {
      if (!(await watchJob(context, id))) return context.printError(`job ${id} continues`)
    } else if (flags.wait) await waitForJob(context, id)
    const job = await readJob(context.connect(), id)
    await showJob(context, job, flags)
    if ((flags.wait || flags.watch) && !isSuccess(job)) context.fail()
  },
})

/** The text that is an id of a job. */
export function requireJobId(where: string, text: string): string {
  if (/^\d{1,15}$/.test(text)) return String(Number(text))
  throw usageError(`${where}: expected an id from fleet jobs, got ${text}`)
}

async function showJob(
  context: CliContext,
  job: JobDetails,
  { json, output, client }: FlagsOf<typeof showOptions>,
): Promise<void> {
  const api = context.connect()
  const clients = client === undefined ? [] : await resolveAddresses(api, { client })
  const parts = clients.length === 0 ? job.parts : job.parts.filter(part => clients.includes(part.client))
  if (parts.length === 0 && clients.length > 0)
    throw usageError(`--client: expected clients of job ${job.id}, got ${clients.join(', ')}`)
  const shown = { ...job, parts }
  if (json) context.printJson(output || clients.length > 0 ? await readWithOutputs(api, shown) : shown)
  else if (output) await printJobOutputs(context, shown, await readComputers(api))
  else {
    for (const line of [formatOrigin(job), ...formatSteps(job)]) context.print(line)
    await printResults(context, shown)
  }
}

function formatOrigin({ created, origin, schedule, by, caller }: JobDetails): string {
  const texts = [
    `created ${formatLocalTime(created)} by a ${origin}`,
    schedule !== undefined && String(schedule),
    by && `of ${by}`,
    caller && `from ${caller}`,
  ]
  return paint('gray', onOneLine(texts.filter(Boolean).join(' ')))
}

/** What was asked: the command of each step, with a line for each of its arguments, more for a script of several lines. */
function formatSteps({ commands, arguments: steps = [], steps: count }: JobDetails): string[] {
  const lines = commands.flatMap((command, index) => {
    const title = commands.length > 1 ? `step ${index + 1} ${command}` : command
    const values = steps[index]
    const note = values === null ? paint('gray', ' (arguments too long to show)') : ''
    return [`${onOneLine(title)}${note}`, ...Object.entries(values ?? {}).flatMap(formatArgument)]
  })
  return count === undefined ? lines : [...lines, paint('gray', `and ${count - commands.length} more steps`)]
}

function formatArgument([key, value]: [string, unknown]): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const lines = text.split('\n').map(onOneLine)
  const title = `  ${paint('gray', `${onOneLine(key)}:`)}`
  return lines.length === 1 ? [`${title} ${lines[0]}`] : [title, ...lines.map(line => `    ${line}`)]
}
