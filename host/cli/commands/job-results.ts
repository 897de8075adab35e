// Prints the results of a job: what its scripts printed, one row per part, the counts of each state; or follows them.
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { JobAnswer, JobDetails, PartAnswer } from '../../contract/answers.ts'
import { hasScript, isEnded, isSuccess, readJob, readRunning, readWithOutputs, waitForJob } from '../api/job-reader.ts'
import { countComputers, listSums, shownStateOf, stateWord, stepsOf } from '../api/job-sums.ts'
import { readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { agentHint } from '../terminal/agent-hint.ts'
import { watch } from '../terminal/live-view.ts'
import { formatProgress, formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { type Computers, printJobOutputs } from './print-outputs.ts'

/** After a request: prints the id of its job; with `wait` the results when the job has ended. */
export async function reportJob(
  context: CliContext,
  id: number | undefined,
  { wait, json }: { wait: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  if (id === undefined) return
  const api = context.connect()
  const show = async (job: JobDetails) =>
    json ? context.printJson(await readWithOutputs(api, job)) : resultsWithOutputs(context, job)
  if (wait) await showEnd(context, id, show)
  else if (json) context.printJson(await readJob(api, id))
  else context.print(`job ${id} started; fleet job ${id} shows its results`)
}

/** With what its scripts printed, if it has some. */
export const resultsWithOutputs = async (context: CliContext, job: JobDetails): Promise<void> =>
  printResults(context, job, (await hasScript(context.connect(), job)) ? 'between' : 'none')

/** Waits until the job has ended, and fails unless every client succeeded. */
export async function showEnd(context: CliContext, id: number, show: (job: JobDetails) => unknown): Promise<void> {
  await waitForJob(context, id)
  const job = await readJob(context.connect(), id)
  await show(job)
  if (!isSuccess(job)) context.fail()
}

/**
 * Where the outputs of scripts are printed: between the table and the counts; or first, or before, and then rows only
 * of clients that did not succeed, as the others have their outputs.
 */
type Outputs = 'none' | 'between' | 'first' | 'before'

export async function printResults(context: CliContext, job: JobDetails, outputs: Outputs = 'none'): Promise<void> {
  const api = context.connect()
  const computers = await readComputers(api)
  const isFirst = outputs === 'first' || outputs === 'before'
  if (outputs === 'first') await printJobOutputs(context, job, computers)
  const running = job.parts.some(isBusy) ? await readRunning(api) : undefined
  const named = job.parts.map(part => {
    const other = isBusy(part) && running?.get(part.client)
    return other ? { ...part, reason: `busy: job ${other.job} ${other.command}` } : part
  })
  const parts = named.filter(({ state }) => !isFirst || state !== 'success')
  if (!isFirst || parts.length > 0) context.print(formatParts({ ...job, parts }, computers, context.width()))
  if (outputs === 'between') await printJobOutputs(context, job, computers)
  for (const line of agentHint(job.parts.map(reasonOf).join('\n'))) context.print(line)
  context.print(formatSummary(job))
}

const wordOf = (part: PartAnswer) => stateWord(shownStateOf(part))

const isBusy = ({ state, reason }: PartAnswer) => state === 'skipped' && reason === 'busy'

function formatParts(job: JobDetails, computers: Computers, width?: number): string {
  const step: Column<PartAnswer> = { title: 'step', value: ({ step, command }) => `${step + 1} ${command}` }
  const columns: Column<PartAnswer>[] = [
    'client',
    { title: 'name', value: ({ client }) => computers.get(client)?.name },
    ...(job.commands.length > 1 ? [step] : []),
    { title: 'state', value: wordOf, colour: colourOf },
    { title: 'time', value: formatDuration, alignRight: true },
    // What runs has no reason yet: in one column both fit on a terminal.
    {
      title: job.parts.some(({ progress }) => progress) ? 'progress' : 'reason',
      value: part => (part.progress ? formatProgress(part.progress, 10) : reasonOf(part)),
    },
  ]
  return formatTable(job.parts, columns, width)
}

/** Its name, and the query that has found its computers. */
export const whatOf = ({ name, where }: Pick<JobAnswer, 'name' | 'where'>): string =>
  where === undefined ? name : `${name} (${where})`

/** `job 3 win11: 12 computers: 11 success, 1 failure` of a job with several steps. */
function formatSummary({ id, ...job }: JobDetails): string {
  const total = new Set(job.parts.map(({ client }) => client)).size
  const texts = listSums(countComputers(job)).map(({ state, text }) => paint(stateColours[state], text))
  const words = stepsOf(job) > 1 ? `${plural(total, 'computer')}: ` : ''
  return `job ${id} ${whatOf(job)}: ${total === 0 ? plural(0, 'client') : `${words}${texts.join(', ')}`}`
}

function reasonOf({ reason, waiting, running }: PartAnswer): string | undefined {
  const end = running?.deadline === undefined ? undefined : `until ${formatLocalTime(running.deadline)}`
  return reason ?? (waiting && formatWait(waiting)) ?? end
}

/** A success has a reason only when its log could not confirm it. */
const colourOf = ({ state, reason }: PartAnswer) => (state === 'success' && reason ? 'yellow' : stateColours[state])

function formatDuration({ sent, ended, running }: PartAnswer): string {
  if (running) return `${running.seconds} s`
  if (sent === undefined || ended === undefined) return ''
  return `${((Date.parse(ended) - Date.parse(sent)) / 1000).toFixed(1)} s`
}

/** Resolves to whether the job has ended: Ctrl-C ends the view earlier. */
export async function watchJob(context: CliContext, id: number): Promise<boolean> {
  const api = context.connect()
  const computers = await readComputers(api)
  const formatChanges = createPartLines(computers)
  let hasEnded = false
  await watch(context, async width => {
    const job = await readJob(api, id)
    hasEnded = isEnded(job.counts)
    if (hasEnded) return undefined
    if (!context.screen) return formatChanges(job)
    const parts = job.parts.toSorted((one, other) => rankOf(one) - rankOf(other))
    return `${formatSummary(job)}\n${formatParts({ ...job, parts }, computers, width)}`
  })
  return hasEnded
}

/** What runs comes first, the slowest at the top, then what has failed: a screen has few rows. */
function rankOf(part: PartAnswer): number {
  if (part.state === 'sent') return part.progress?.percent ?? 0
  if (part.state === 'failure') return 101
  return isUnfinished(part) ? 102 : 103
}

/** Percent between two lines about one part. */
const lineStep = 10

/** For a pipe: a line for each part whose state has changed, or that has copied another tenth. */
function createPartLines(computers: Computers): (job: JobDetails) => string {
  const printed = new Map<string, string>()
  return ({ parts, commands }) =>
    parts
      .filter(({ client, step, state, progress, waiting }) => {
        const key = `${step} ${client}`
        const about = `${state} ${progress ? Math.floor(progress.percent / lineStep) : ''}${waiting?.for ?? ''}`
        const hasChanged = printed.get(key) !== about
        printed.set(key, about)
        return hasChanged
      })
      .map(part => {
        const { client, step, command, progress } = part
        const name = computers.get(client)?.name
        const title = commands.length > 1 && `${step + 1} ${command}`
        const texts = [client, name, title, progress ? formatProgress(progress) : wordOf(part), reasonOf(part)]
        return onOneLine(texts.filter(Boolean).join('  '))
      })
      .join('\n')
}
