// `fleet jobs` lists jobs, `fleet job` shows, cancels or retries one.
import { type Command, Option } from 'commander'
import type { PartState } from '../../../stores/store.ts'
import { isSuccess, type JobDetail, type JobEntry, partStates, readJob, waitForJob } from '../api/job-progress.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { printResults, reportJob } from './job-results.ts'
import { addWaitOption } from './shared-options.ts'

interface ListFlags {
  json?: true
  watch?: true
  state?: string
  command?: string
  client?: string
  limit: string
}

interface JobList {
  jobs: JobEntry[]
}

export function addJobs(program: Command, context: CliContext): void {
  const { connect, print, printJson } = context
  program
    .command('jobs')
    .description('list jobs, the newest first')
    .addOption(new Option('--state <state>', 'jobs with a part in this state').choices(partStates))
    .option('--command <name>', 'jobs with this command')
    .option('--client <ip>', 'jobs for this client')
    .option('--limit <count>', 'at most this many', '20')
    .option('--watch', 'update the list every second')
    .option('--json', 'print JSON')
    .action(async ({ json, watch: live, ...filter }: ListFlags) => {
      const route = `GET /jobs?${new URLSearchParams({ ...filter })}`
      const read = async () => (await connect().call<JobList>(route)).body
      if (live)
        await watch(context, async width => (json ? JSON.stringify(await read()) : formatList(await read(), width)))
      else if (json) printJson(await read())
      else print(formatList(await read()))
    })
  addJob(program, context)
}

function addJob(program: Command, context: CliContext): void {
  const { connect, print, printJson, fail } = context
  const job = addWaitOption(program.command('job').argument('<id>'))
    .description('show a job with its parts; cancel or retry one')
    .option('--json', 'print JSON')
    .action(async (text: string, { json, wait }: { json?: true; wait?: true }) => {
      const id = parseId(text)
      if (wait) await waitForJob(context, id)
      const job = await readJob(connect(), id)
      if (json) printJson(job)
      else await printJob(context, job)
      if (wait && !isSuccess(job)) fail()
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
  addWaitOption(job.command('retry').argument('<id>').option('--failed', 'only parts that failed'))
    .description('start a new job with the parts that did not succeed')
    .action(async (text: string, _flags, command: Command) => {
      // The parser assigns --wait to the first command that defines it: `job`.
      const { failed, wait = false } = command.optsWithGlobals<{ failed?: true; wait?: true }>()
      const id = String(parseId(text))
      const response = await connect().call('POST /job/retry', failed ? { id, only: 'failed' } : { id })
      await reportJob(context, response.job, wait)
    })
}

function parseId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usageError(`job: expected an id from fleet jobs, got ${text}`)
}

const formatList = ({ jobs }: JobList, width?: number) =>
  jobs.length === 0 ? 'no jobs' : formatTable(jobs, columns, width)

function countColumn(title: string, ...states: [PartState, ...PartState[]]): Column<JobEntry> {
  const count = ({ counts }: JobEntry) => states.reduce((sum, state) => sum + counts[state], 0)
  return { title, value: job => count(job) || '', alignRight: true, colour: () => stateColours[states[0]] }
}

const columns: Column<JobEntry>[] = [
  { title: 'job', value: ({ id }) => id, alignRight: true },
  { title: 'what', value: ({ name }) => name },
  { title: 'from', value: ({ origin }) => origin },
  countColumn('success', 'success'),
  countColumn('failure', 'failure'),
  countColumn('skipped', 'skipped'),
  countColumn('dropped', 'expired', 'cancelled'),
  countColumn('waiting', 'queued', 'sent'),
  { title: 'created', value: ({ created }) => formatLocalTime(created) },
]

async function printJob(context: CliContext, job: JobDetail): Promise<void> {
  const steps = job.commands.length > 1 ? `: ${job.commands.join(', ')}` : ''
  context.print(paint('gray', `created ${formatLocalTime(job.created)} by a ${job.origin}${steps}`))
  await printResults(context, job)
}
