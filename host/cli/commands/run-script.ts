// `fleet run`: runs a script on clients, waits, and prints what it printed.
import type { Command } from 'commander'
import { readWithOutputs } from '../api/job-outputs.ts'
import { isSuccess, readJob, waitForJob } from '../api/job-progress.ts'
import { readComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { formatParts, formatSummary } from './job-results.ts'
import { printJobOutputs } from './print-outputs.ts'
import { addScopeOptions } from './shared-options.ts'

const help = `
One argument is a script: 'df -h | tail -1'. Several are a command and its
arguments, which may have spaces.

  fleet run --room "Room 1" -- uname -a
  fleet run --client lab-r01-c01 lab-r01-c02 -- 'df -h | tail -1'`

interface Flags extends ScopeFlags {
  json?: true
  ignoreStatus?: true
}

interface Script {
  run: string
  echo: boolean
  ignore_status?: boolean
}

export function addRunScript(program: Command, context: CliContext): void {
  addScopeOptions(program.command('run').argument('<script...>'))
    .description('run a script on clients, wait, and print its output')
    .usage('[options] -- <script>')
    .option('--ignore-status', 'an exit code that is not 0 is a success, too')
    .option('--json', 'print the job with its outputs as JSON')
    .addHelpText('after', help)
    .action(async (args: string[], { json, ignoreStatus, ...flags }: Flags) => {
      const job = await runScript(context, { run: scriptOf(args), echo: true, ignore_status: ignoreStatus }, flags)
      if (json) context.printJson(await readWithOutputs(context.connect(), job))
      else await printRun(context, job)
      if (!isSuccess(job)) context.fail()
    })
}

/** A shell on the client parses the script: arguments with other characters than these are quoted for it. */
function scriptOf(args: string[]): string {
  if (args.length === 1) return args.join()
  return args.map(arg => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(' ')
}

async function runScript(context: CliContext, script: Script, flags: ScopeFlags) {
  const api = context.connect()
  const clients = await resolveAddresses(api, flags)
  if (clients.length === 0) throw usageError('run: expected --client, --room or --center, got none of them')
  const { job } = await api.call('POST /shell/run', { clients, ...script })
  if (job === undefined) throw new CliError('run: the daemon does not report results; fleet output may show them')
  await waitForJob(context, job)
  return readJob(api, job)
}

/** Rows only for clients that did not succeed: the others have their outputs. */
async function printRun(context: CliContext, job: Awaited<ReturnType<typeof runScript>>): Promise<void> {
  const computers = await readComputers(context.connect())
  await printJobOutputs(context, job, computers)
  const parts = job.parts.filter(({ state }) => state !== 'success')
  if (parts.length > 0) context.print(formatParts({ ...job, parts }, computers, context.width()))
  context.print(formatSummary(job))
}
