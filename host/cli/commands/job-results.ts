// Prints the results of a job: what its scripts printed, one row per part, the counts of each state; or follows them.
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { JobAnswer, JobDetails, PartAnswer } from '../../contract/answers.ts'
import {
  type ClientOutput,
  isEnded,
  isSuccess,
  listCounts,
  type OutputState,
  readJob,
  readJobOutputs,
  type StepOutputs,
  waitForJob,
} from '../api/job-reader.ts'
import { type ComputerRef, readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { watch } from '../terminal/live-view.ts'
import { formatProgress, formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import { type Column, cutLine, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'

type Computers = Map<string, ComputerRef>

/** After a request: prints the id of its job; with `wait` the results when the job has ended. */
export async function reportJob(
  context: CliContext,
  id: number | undefined,
  { wait, outputs }: { wait: boolean | undefined; outputs?: Outputs },
): Promise<void> {
  if (id === undefined) return
  if (wait) await showEnd(context, id, job => printResults(context, job, outputs))
  else context.print(`job ${id} started; fleet job ${id} shows its results`)
}

/** Waits until the job has ended, and fails unless every client succeeded. */
export async function showEnd(context: CliContext, id: number, show: (job: JobDetails) => unknown): Promise<void> {
  await waitForJob(context, id)
  const job = await readJob(context.connect(), id)
  await show(job)
  if (!isSuccess(job)) context.fail()
}

/**
 * Where the outputs of scripts are printed: between the table and the counts; or first, or before, and then rows only of
 * clients that did not succeed, as the others have their outputs.
 */
type Outputs = 'none' | 'between' | 'first' | 'before'

export async function printResults(context: CliContext, job: JobDetails, outputs: Outputs = 'none'): Promise<void> {
  const computers = await readComputers(context.connect())
  const isFirst = outputs === 'first' || outputs === 'before'
  if (outputs === 'first') await printJobOutputs(context, job, computers)
  const parts = job.parts.filter(({ state }) => !isFirst || state !== 'success')
  if (!isFirst || parts.length > 0) context.print(formatParts({ ...job, parts }, computers, context.width()))
  if (outputs === 'between') await printJobOutputs(context, job, computers)
  context.print(formatSummary(job))
}

function formatParts(job: JobDetails, computers: Computers, width?: number): string {
  const step: Column<PartAnswer> = { title: 'step', value: ({ step, command }) => `${step + 1} ${command}` }
  const columns: Column<PartAnswer>[] = [
    'client',
    { title: 'name', value: ({ client }) => computers.get(client)?.name },
    ...(job.commands.length > 1 ? [step] : []),
    { title: 'state', value: ({ state }) => state, colour: colourOf },
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

function formatSummary({ id, counts, ...job }: JobAnswer): string {
  const texts = listCounts(counts).map(({ state, text }) => paint(stateColours[state], text))
  return `job ${id} ${whatOf(job)}: ${texts.length === 0 ? plural(0, 'client') : texts.join(', ')}`
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

/** Of all parts of `job`. Steps without any output are left out when there are several. */
export async function printJobOutputs(context: CliContext, job: JobDetails, computers: Computers): Promise<void> {
  const steps = await readJobOutputs(context.connect(), job)
  const isPrinted = ({ outputs }: StepOutputs) => steps.length === 1 || outputs.some(({ output }) => output !== '')
  for (const { step, command, outputs } of steps.filter(isPrinted)) {
    if (job.commands.length > 1) context.print(paint('bold', onOneLine(`step ${step + 1} ${command}`)))
    printOutputs(context, outputs, computers)
  }
}

/** Behind `3 clients`. */
const notes: Record<OutputState, string> = {
  read: ' printed nothing',
  dropped: ', output no longer stored',
  running: ', still running a script',
  unknown: ', no output known',
}

export function printOutputs(
  { print, printUntrusted, width }: CliContext,
  outputs: ClientOutput[],
  computers: Computers,
) {
  const line = (text: string) => cutLine(onOneLine(text), width())
  const namesOf = (clients: string[]) => foldNames(clients.map(client => computers.get(client)?.name ?? client))
  for (const [output, clients] of groupClients(outputs, ({ output }) => output)) {
    if (output === '') continue
    print(paint('bold', line(`── ${headingOf(clients, namesOf(clients), computers)}`)))
    printUntrusted(output.endsWith('\n') ? output : `${output}\n`)
  }
  const silent = outputs.filter(({ output }) => output === '')
  for (const [state, clients] of groupClients(silent, ({ state }) => state))
    print(paint('gray', line(`${plural(clients.length, 'client')}${notes[state]}: ${namesOf(clients)}`)))
}

function groupClients<Key>(outputs: ClientOutput[], keyOf: (output: ClientOutput) => Key): Map<Key, string[]> {
  const groups = new Map<Key, string[]>()
  for (const output of outputs) {
    const clients = groups.get(keyOf(output)) ?? []
    clients.push(output.client)
    groups.set(keyOf(output), clients)
  }
  return groups
}

function headingOf(clients: string[], names: string, computers: Computers): string {
  const [client = ''] = clients
  if (clients.length > 1) return `${names}: ${plural(clients.length, 'client')}`
  return computers.has(client) ? `${names} ${client}` : client
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
        const { client, step, command, state, progress } = part
        const name = computers.get(client)?.name
        const title = commands.length > 1 && `${step + 1} ${command}`
        const texts = [client, name, title, progress ? formatProgress(progress) : state, reasonOf(part)]
        return onOneLine(texts.filter(Boolean).join('  '))
      })
      .join('\n')
}
