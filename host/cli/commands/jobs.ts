// `fleet jobs` and `fleet job`: what was asked for and what became of it.
import { type Command, Option } from 'commander'
import type { PartState } from '../../../stores/store.ts'
import { isSuccess, type JobEntry, type JobWithParts, printOutcomes, readJob, untilEnded } from '../api/job-progress.ts'
import type { CliContext } from '../context.ts'
import { usageError } from '../terminal/failure.ts'
import { watch } from '../terminal/live-view.ts'
import { type Column, localTime, table } from '../terminal/table.ts'
import { paint, stateColours } from '../terminal/terminal.ts'

const states: PartState[] = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled']

interface ListFlags {
  json?: true
  watch?: true
  state?: string
  command?: string
  client?: string
  limit: string
}

export function addJobs(program: Command, session: CliContext): void {
  const { connect, print, printJson } = session
  program
    .command('jobs')
    .description('list jobs, the newest first')
    .addOption(new Option('--state <state>', 'jobs with a part in this state').choices(states))
    .option('--command <name>', 'jobs with this command')
    .option('--client <ip>', 'jobs for this client')
    .option('--limit <count>', 'at most this many', '20')
    .option('--watch', 'show it again every second')
    .option('--json', 'print JSON')
    .action(async ({ json, watch: again, ...filter }: ListFlags) => {
      const route = `GET /jobs?${new URLSearchParams({ ...filter })}`
      const read = async () => (await connect().call<{ jobs: JobEntry[] }>(route)).body
      if (again)
        await watch(session, async width => (json ? JSON.stringify(await read()) : listed(await read(), width)))
      else if (json) printJson(await read())
      else print(listed(await read()))
    })
  addJob(program, session)
}

function addJob(program: Command, session: CliContext): void {
  const { connect, print, printJson, fail } = session
  const job = program
    .command('job')
    .description('show a job with its parts; cancel or retry one')
    .argument('<id>')
    .option('--wait', 'until all of it has ended; exit code 0 only if every client succeeded')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, wait }: { json?: true; wait?: true }) => {
      if (wait) await untilEnded(session, idOf(id))
      const found = await readJob(connect(), idOf(id))
      if (json) printJson(found)
      else await printJob(session, found)
      if (wait && !isSuccess(found)) fail()
    })
  job
    .command('cancel')
    .description('call off what still waits of a job')
    .argument('<id>')
    .action(async (id: string) => {
      await connect().call('POST /job/cancel', { id: String(idOf(id)) })
      print(`what waited of job ${id} is cancelled`)
    })
  job
    .command('retry')
    .description('do again, in a new job, what a job left undone')
    .argument('<id>')
    .option('--failed', 'only what failed')
    .option('--wait', 'until all of it has ended; exit code 0 only if every client succeeded')
    .action(async (id: string, _own, command: Command) => {
      // The parser gives `--wait` to the first that has it, which is `job`.
      const { failed, wait } = command.optsWithGlobals<{ failed?: true; wait?: true }>()
      const answer = await connect().call('POST /job/retry', {
        id: String(idOf(id)),
        ...(failed && { only: 'failed' }),
      })
      await tellJob(session, answer.job, wait === true)
    })
}

/** Of a job that has just begun: how to follow it, or how it ended. */
export async function tellJob(session: CliContext, id: number | undefined, wait: boolean): Promise<void> {
  if (id === undefined) return
  if (!wait) return session.print(`job ${id} has begun; fleet job ${id} tells what becomes of it`)
  await untilEnded(session, id)
  const job = await readJob(session.connect(), id)
  await printOutcomes(session, job)
  if (!isSuccess(job)) session.fail()
}

function idOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usageError(`job: expected one that fleet jobs lists, got ${text}`)
}

const listed = ({ jobs }: { jobs: JobEntry[] }, width?: number) =>
  jobs.length === 0 ? 'no jobs' : table(jobs, columns, width)

const countColumn = (title: string, ...of: PartState[]): Column<JobEntry> => {
  const count = ({ counts }: JobEntry) => of.reduce((sum, state) => sum + counts[state], 0)
  const colour = stateColours[of[0] ?? '']
  return { title, of: job => count(job) || '', right: true, colour: () => colour }
}

const columns: Column<JobEntry>[] = [
  { title: 'job', of: ({ id }) => id, right: true },
  { title: 'what', of: ({ name }) => name },
  { title: 'from', of: ({ origin }) => origin },
  countColumn('success', 'success'),
  countColumn('failure', 'failure'),
  countColumn('skipped', 'skipped'),
  countColumn('dropped', 'expired', 'cancelled'),
  countColumn('waiting', 'queued', 'sent'),
  { title: 'created', of: ({ created }) => localTime(created) },
]

async function printJob(session: CliContext, job: JobWithParts): Promise<void> {
  const steps = job.commands.length > 1 ? `: ${job.commands.join(', ')}` : ''
  session.print(paint('gray', `created ${localTime(job.created)} by a ${job.origin}${steps}`))
  await printOutcomes(session, job)
}
