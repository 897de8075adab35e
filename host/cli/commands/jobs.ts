// `fleet job` shows, cancels, stops or retries a job.
import type { JobDetails } from '../../contract/answers.ts'
import { isEnded, isSuccess, readJob, readWithOutputs, waitForJob } from '../api/job-reader.ts'
import { countComputers, listSums } from '../api/job-sums.ts'
import { readComputers, resolveAddresses } from '../api/records.ts'
import { exclude, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { formatLocalTime, plural } from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import { printResults, reportJob, resultsWithOutputs, watchJob } from './job-results.ts'
import { printJobOutputs } from './print-outputs.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { waitOption, yesOption } from './subcommand-options.ts'

const cancel = subcommand({
  command: 'cancel <id>',
  description: 'cancel the queued parts of a job',
  async run(context, _flags, text) {
    const job = await readUnfinished(context, text)
    if (!job) return
    const { id, name, counts, parts } = job
    const waiting = new Set(parts.filter(({ state }) => state === 'queued').map(({ client }) => client)).size
    await context.connect().call('POST /job/cancel', { id: String(id) })
    const running = counts.sent > 0 ? `; ${plural(counts.sent, 'client')} go on` : ''
    context.print(`job ${id} ${name}: ${waiting} waiting cancelled${running}`)
  },
})

const stop = subcommand({
  command: 'stop <id>',
  description: 'end the running parts of a job, cancel the queued ones; what scripts have printed is kept',
  options: { '--client <ip or name...>': 'only its parts on these computers', ...yesOption },
  async run(context, { yes, client }, text) {
    const job = await readUnfinished(context, text)
    if (!job) return
    const { id, name } = job
    const counts = countComputers(job)
    const api = context.connect()
    const clients = client && { clients: await resolveAddresses(api, { client }) }
    const what = `job ${id} ${name}${client ? ` on ${client.join(', ')}` : ''}`
    const parts = client ? '' : `: ${counts.sent} running, ${counts.queued} waiting`
    await confirm(context, yes, {
      where: 'job stop',
      needsConsent: false,
      describe: async () => `Stop ${what}${parts}`,
    })
    await api.call('POST /job/stop', { id: String(id), ...clients })
    if (client) return context.print(`${what} stopped; fleet job ${id} shows its results`)
    await waitForJob(context, id)
    const ended = listSums(countComputers(await readJob(api, id))).map(each => each.text)
    context.print(`${what} stopped: ${ended.join(', ')}`)
  },
})

/** Says so and fails when the job has ended. */
async function readUnfinished({ connect, print, fail }: CliContext, text: string): Promise<JobDetails | undefined> {
  const job = await readJob(connect(), Number(requireJobId('job', text)))
  const { id, name, parts, counts } = job
  if (!isEnded(counts)) return job
  const ended = parts.reduce((last, { ended = '' }) => (ended > last ? ended : last), '')
  const result = listSums(countComputers(job)).map(each => each.text)
  print(`job ${id} ${name} has ended ${ended && `at ${formatLocalTime(ended)}`}: ${result.join(', ')}`)
  fail()
  return undefined
}

const retry = subcommand({
  command: 'retry <id>',
  description: 'start a new job with the parts that did not succeed; with --wait its results are printed',
  options: {
    '--failed': 'only parts that failed',
    '--wake': 'wake clients that are off',
    ...waitOption,
    '--json': 'print the new job as JSON, with --wait also the outputs of its scripts',
  },
  async run(context, { failed, wake, ...flags }, text) {
    const api = context.connect()
    const payload = { id: requireJobId('job', text), only: failed && 'failed', wake }
    const left = failed ? leftOut(await readJob(api, Number(payload.id))) : []
    const { job } = await api.call('POST /job/retry', payload)
    if (left.length > 0) context.printError(`not again: ${left.join(', ')}; without --failed these, too`)
    await reportJob(context, job, flags)
  },
})

/** `2 skipped, 1 expired`: what neither succeeded nor failed. */
const leftOut = (job: JobDetails): string[] =>
  listSums(countComputers(job)).flatMap(({ state, text }) => (state === 'success' || state === 'failure' ? [] : text))

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
    exclude('job', flags, 'watch', 'json')
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
  { json, output, client, wait }: FlagsOf<typeof showOptions>,
): Promise<void> {
  const api = context.connect()
  const clients = client === undefined ? [] : await resolveAddresses(api, { client })
  const parts = clients.length === 0 ? job.parts : job.parts.filter(part => clients.includes(part.client))
  if (parts.length === 0 && clients.length > 0)
    throw usageError(`--client: expected clients of job ${job.id}, got ${clients.join(', ')}`)
  const shown = { ...job, parts }
  if (json) context.printJson(output || clients.length > 0 ? await readWithOutputs(api, shown) : shown)
  else if (output && parts.some(({ reason }) => reason !== undefined)) await printResults(context, shown, 'first')
  else if (output) await printJobOutputs(context, shown, await readComputers(api))
  else {
    for (const line of [formatOrigin(job), ...formatSteps(job)]) context.print(line)
    await (wait ? resultsWithOutputs : printResults)(context, shown)
  }
}

function formatOrigin({ created, origin, schedule, retry_of, by, caller }: JobDetails): string {
  const texts = [
    `created ${formatLocalTime(created)} by ${schedule === undefined ? 'a ' : ''}${origin}`,
    schedule !== undefined && String(schedule),
    retry_of !== undefined && `of job ${retry_of}`,
    by && `of ${by}`,
    caller && `from ${caller}`,
  ]
  return paint('gray', onOneLine(texts.filter(Boolean).join(' ')))
}

/** The command of each step, with a line for each of its arguments, more for a script of several lines. */
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
