// `fleet jobs` lists jobs, `fleet job` shows, cancels or retries one.
import { type Command, Option } from 'commander'
import type { JobAnswer, JobDetails, JobsAnswer, PartState } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { readWithOutputs } from '../api/job-outputs.ts'
import { isSuccess, partStates, readJob, waitForJob } from '../api/job-progress.ts'
import { readComputers, resolveAddresses } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable, timeColumn } from '../terminal/text-table.ts'
import { addRead } from './add-read.ts'
import { printResults, reportJob } from './job-results.ts'
import { printJobOutputs } from './print-outputs.ts'
import { addWaitOption } from './shared-options.ts'
import { watchJob } from './watch-job.ts'

interface ListFlags {
  state?: string
  command?: string
  client?: string
  limit: string
}

interface JobFlags {
  json?: true
  wait?: true
  watch?: true
  output?: true
  client?: string[]
}

export function addJobs(program: Command, context: CliContext): void {
  addRead(program, context, {
    name: 'jobs',
    description: 'list jobs, the newest first',
    options: [
      new Option('--state <state>', 'jobs with a part in this state').choices(partStates),
      new Option('--command <name>', 'jobs with this command'),
      new Option('--client <ip or name>', 'jobs for this client'),
      new Option('--limit <count>', 'at most this many').default('20'),
    ],
    canWatch: true,
    read: (flags: ListFlags) => readJobs(context.connect(), flags),
    format: ({ jobs }, width) => (jobs.length === 0 ? 'no jobs' : formatTable(jobs, columns, width)),
  })
  addJob(program, context)
}

async function readJobs(api: ApiClient, { state, command, client, limit }: ListFlags): Promise<JobsAnswer> {
  const query = new URLSearchParams({ limit })
  if (state !== undefined) query.set('state', state)
  if (command !== undefined) query.set('command', command)
  if (client !== undefined) query.set('client', (await resolveAddresses(api, { client: [client] })).join())
  return (await api.call<JobsAnswer>(`GET /jobs?${query}`)).body
}

function addJob(program: Command, context: CliContext): void {
  const { connect, print, fail } = context
  const job = addWaitOption(program.command('job').argument('<id>'))
    .description('show a job with its parts; cancel or retry one')
    .option('--watch', 'follow its parts until all have ended, with bars for copies of images')
    .option('--output', 'print what its scripts printed')
    .option('--client <ip or name...>', 'only these clients; with --json also the outputs of their scripts')
    .option('--json', 'print JSON')
    .action(async (text: string, flags: JobFlags) => {
      const id = parseId(text)
      if (flags.watch) {
        if (!(await watchJob(context, id))) return context.printError(`job ${id} continues`)
      } else if (flags.wait) await waitForJob(context, id)
      const job = await readJob(connect(), id)
      await showJob(context, job, flags)
      if ((flags.wait || flags.watch) && !isSuccess(job)) fail()
    })
  job
    .command('cancel')
    .description('cancel the queued parts of a job')
    .argument('<id>')
    .action(async (text: string) => {
      const id = parseId(text)
      await connect().call('POST /job/cancel', { id: String(id) })
      print(`job ${id}: queued parts are cancelled`)
    })
  const retry = job.command('retry').argument('<id>').option('--failed', 'only parts that failed')
  addWaitOption(retry.option('--wake', 'wake clients that are off'))
    .description('start a new job with the parts that did not succeed')
    .action(async (text: string, _flags, command: Command) => {
      // The parser assigns --wait to the first command that defines it: `job`.
      const { failed, wake, wait = false } = command.optsWithGlobals<{ failed?: true; wake?: true; wait?: true }>()
      const payload = { id: String(parseId(text)), ...(failed && { only: 'failed' }), ...(wake && { wake }) }
      const response = await connect().call('POST /job/retry', payload)
      await reportJob(context, response.job, { wait })
    })
}

async function showJob(context: CliContext, job: JobDetails, { json, output, client }: JobFlags): Promise<void> {
  const api = context.connect()
  const clients = client === undefined ? [] : await resolveAddresses(api, { client })
  const parts = clients.length === 0 ? job.parts : job.parts.filter(part => clients.includes(part.client))
  if (parts.length === 0 && clients.length > 0)
    throw usageError(`--client: expected clients of job ${job.id}, got ${clients.join(', ')}`)
  const shown = { ...job, parts }
  if (json) context.printJson(output || clients.length > 0 ? await readWithOutputs(api, shown) : shown)
  else if (output) await printJobOutputs(context, shown, await readComputers(api))
  else await printJob(context, shown)
}

function parseId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usageError(`job: expected an id from fleet jobs, got ${text}`)
}

function countColumn(title: string, ...states: [PartState, ...PartState[]]): Column<JobAnswer> {
  const count = ({ counts }: JobAnswer) => states.reduce((sum, state) => sum + counts[state], 0)
  return { title, value: job => count(job) || '', colour: () => stateColours[states[0]] }
}

const columns: Column<JobAnswer>[] = [
  { title: 'job', value: ({ id }) => id },
  { title: 'what', value: ({ name }) => name },
  { title: 'from', value: ({ origin }) => origin },
  'by',
  // Short titles: with longer ones a row would not fit into 80 columns.
  countColumn('ok', 'success'),
  countColumn('fail', 'failure'),
  countColumn('skip', 'skipped'),
  countColumn('drop', 'expired', 'cancelled'),
  countColumn('wait', 'queued', 'sent'),
  timeColumn('created'),
]

async function printJob(context: CliContext, job: JobDetails): Promise<void> {
  const caller = job.caller === undefined ? '' : ` from ${job.caller}`
  const by = job.by ? ` of ${job.by}` : ''
  context.print(paint('gray', onOneLine(`created ${formatLocalTime(job.created)} by a ${job.origin}${by}${caller}`)))
  for (const line of formatSteps(job)) context.print(line)
  await printResults(context, job)
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
  if (lines.length === 1) return [`  ${paint('gray', `${onOneLine(key)}:`)} ${lines[0]}`]
  return [`  ${paint('gray', `${onOneLine(key)}:`)}`, ...lines.map(line => `    ${line}`)]
}
