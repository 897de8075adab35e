// Prints the results of a job: one row per part, and the counts of each state.
import {
  isSuccess,
  type JobDetail,
  type JobEntry,
  listCounts,
  type PartEntry,
  readJob,
  waitForJob,
} from '../api/job-progress.ts'
import { type ComputerRef, readComputers } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'

/** After a request: prints the id of its job; with `wait` the results when the job has ended. */
export async function reportJob(context: CliContext, id: number | undefined, wait: boolean): Promise<void> {
  if (id === undefined) return
  if (!wait) return context.print(`job ${id} started; fleet job ${id} shows its results`)
  await waitForJob(context, id)
  const job = await readJob(context.connect(), id)
  await printResults(context, job)
  if (!isSuccess(job)) context.fail()
}

export async function printResults({ connect, print }: CliContext, job: JobDetail): Promise<void> {
  const computers = await readComputers(connect())
  print(formatTable(job.parts, partColumns(computers, job.commands.length > 1)))
  print(formatSummary(job))
}

function formatSummary({ id, name, counts }: JobEntry): string {
  const texts = listCounts(counts).map(({ state, text }) => paint(stateColours[state], text))
  return `job ${id} ${name}: ${texts.length === 0 ? plural(0, 'client') : texts.join(', ')}`
}

function partColumns(computers: Map<string, ComputerRef>, hasSteps: boolean): Column<PartEntry>[] {
  const step: Column<PartEntry> = { title: 'step', value: ({ step, command }) => `${step + 1} ${command}` }
  return [
    { title: 'client', value: ({ client }) => client },
    { title: 'name', value: ({ client }) => computers.get(client)?.name },
    ...(hasSteps ? [step] : []),
    { title: 'state', value: ({ state }) => state, colour: ({ state }) => stateColours[state] },
    { title: 'time', value: formatDuration, alignRight: true },
    { title: 'reason', value: ({ reason }) => reason },
  ]
}

function formatDuration({ sent, ended }: PartEntry): string {
  if (sent === undefined || ended === undefined) return ''
  return `${((Date.parse(ended) - Date.parse(sent)) / 1000).toFixed(1)} s`
}
