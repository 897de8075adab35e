// Prints what scripts printed: equal outputs once, below the names of their clients.
import type { JobDetails } from '../../contract/answers.ts'
import { type ClientOutput, type OutputState, readJobOutputs, type StepOutputs } from '../api/job-outputs.ts'
import type { ComputerRef } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { cutLine, plural } from '../terminal/text-table.ts'

type Computers = Map<string, ComputerRef>

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
    const clients = groups.get(keyOf(output))
    if (clients) clients.push(output.client)
    else groups.set(keyOf(output), [output.client])
  }
  return groups
}

function headingOf(clients: string[], names: string, computers: Computers): string {
  const [client = ''] = clients
  if (clients.length > 1) return `${names}: ${plural(clients.length, 'client')}`
  return computers.has(client) ? `${names} ${client}` : client
}
