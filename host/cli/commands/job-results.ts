// Prints the results of a job: what its scripts printed, one row per part, and the counts of each state.
import type { JobAnswer, JobDetails, PartAnswer } from '../../contract/answers.ts'
import { isSuccess, listCounts, readJob, waitForJob } from '../api/job-progress.ts'
import { type ComputerRef, readComputers } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { formatProgress } from '../terminal/progress-bar.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'
import { formatWait } from '../terminal/wait-words.ts'
import { printJobOutputs } from './print-outputs.ts'

interface ReportFlags {
  wait: boolean
  /** Whether the outputs are printed between the table and the counts. */
  outputs?: boolean
}

/** After a request: prints the id of its job; with `wait` the results when the job has ended. */
export async function reportJob(
  context: CliContext,
  id: number | undefined,
  { wait, outputs = false }: ReportFlags,
): Promise<void> {
  if (id === undefined) return
  if (!wait) return context.print(`job ${id} started; fleet job ${id} shows its results`)
  await waitForJob(context, id)
  const job = await readJob(context.connect(), id)
  const computers = await readComputers(context.connect())
  context.print(formatParts(job, computers, context.width()))
  if (outputs) await printJobOutputs(context, job, computers)
  context.print(formatSummary(job))
  if (!isSuccess(job)) context.fail()
}

export async function printResults({ connect, print, width }: CliContext, job: JobDetails): Promise<void> {
  print(formatParts(job, await readComputers(connect()), width()))
  print(formatSummary(job))
}

export function formatParts(job: JobDetails, computers: Map<string, ComputerRef>, width?: number): string {
  const hasProgress = job.parts.some(({ progress }) => progress !== undefined)
  return formatTable(job.parts, partColumns(computers, job.commands.length > 1, hasProgress), width)
}

export function formatSummary({ id, name, counts }: JobAnswer): string {
  const texts = listCounts(counts).map(({ state, text }) => paint(stateColours[state], text))
  return `job ${id} ${name}: ${texts.length === 0 ? plural(0, 'client') : texts.join(', ')}`
}

function partColumns(
  computers: Map<string, ComputerRef>,
  hasSteps: boolean,
  hasProgress: boolean,
): Column<PartAnswer>[] {
  const step: Column<PartAnswer> = { title: 'step', value: ({ step, command }) => `${step + 1} ${command}` }
  return [
    'client',
    { title: 'name', value: ({ client }) => computers.get(client)?.name },
    ...(hasSteps ? [step] : []),
    { title: 'state', value: ({ state }) => state, colour: colourOf },
    { title: 'time', value: formatDuration, alignRight: true },
    // What runs has no reason yet: in one column both fit on a terminal.
    hasProgress
      ? { title: 'progress', value: part => (part.progress ? formatProgress(part.progress, 10) : reasonOf(part)) }
      : { title: 'reason', value: reasonOf },
  ]
}

const reasonOf = ({ reason, waiting }: PartAnswer) => reason ?? (waiting && formatWait(waiting))

/** A success has a reason only when its log could not confirm it. */
const colourOf = ({ state, reason }: PartAnswer) => (state === 'success' && reason ? 'yellow' : stateColours[state])

function formatDuration({ sent, ended }: PartAnswer): string {
  if (sent === undefined || ended === undefined) return ''
  return `${((Date.parse(ended) - Date.parse(sent)) / 1000).toFixed(1)} s`
}
