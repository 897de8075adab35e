// Prints what scripts printed: equal outputs once, and who still runs a script.
import type { JobDetails } from '../../contract/answers.ts'
import type { ComputerRef } from '../api/computer-names.ts'
import { type ClientOutput, type OutputState, readJobOutputs, type StepOutputs } from '../api/job-reader.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { cutLine, formatClock, plural } from '../terminal/text-table.ts'

export type Computers = Map<string, ComputerRef>

/** Of all parts of `job`. Steps without any output are left out when there are several. */
export async function printJobOutputs(context: CliContext, job: JobDetails, computers: Computers): Promise<void> {
  const steps = await readJobOutputs(context.connect(), job)
  const isShown = (each: ClientOutput) => each.output !== '' || isRunning(each)
  const isPrinted = ({ outputs }: StepOutputs) => steps.length === 1 || outputs.some(isShown)
  for (const { step, command, outputs } of steps.filter(isPrinted)) {
    if (job.commands.length > 1) context.print(paint('bold', onOneLine(`step ${step + 1} ${command}`)))
    printOutputs(context, outputs, computers)
  }
}

/** Behind `3 clients`. */
const notes: Partial<Record<OutputState, string>> = {
  read: ' printed nothing',
  dropped: ', output no longer stored',
  unknown: ', no output known',
}

const isRunning = ({ state }: ClientOutput) => state === 'running'

export function printOutputs(
  { print, printUntrusted, width }: CliContext,
  outputs: ClientOutput[],
  computers: Computers,
) {
  const line = (text: string) => cutLine(onOneLine(text), width())
  const namesOf = (clients: string[]) => foldNames(clients.map(client => computers.get(client)?.name ?? client))
  const running = outputs.filter(isRunning)
  const ended = outputs.filter(each => !isRunning(each))
  for (const [note, some] of [
    ['', ended],
    [', so far', running],
  ] as const) {
    for (const [output, clients] of groupClients(some, ({ output }) => output)) {
      if (output === '') continue
      print(paint('bold', line(`── ${headingOf(clients, namesOf(clients), computers)}${note}`)))
      printUntrusted(output.endsWith('\n') ? output : `${output}\n`)
    }
  }
  const silent = ended.filter(({ output }) => output === '')
  for (const [state, clients] of groupClients(silent, ({ state }) => state))
    print(paint('gray', line(`${plural(clients.length, 'client')}${notes[state]}: ${namesOf(clients)}`)))
  for (const [since, clients] of groupClients(running, ({ since }) => since && formatClock(since)))
    print(paint('cyan', line(`still running: ${namesOf(clients)}${since ? `, since ${since}` : ''}`)))
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
