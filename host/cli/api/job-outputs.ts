// Reads what scripts printed: the outputs that are stored with the parts of jobs.
import type { JobAnswer, JobDetails, JobsAnswer, PartAnswer, PartState } from '../../contract/answers.ts'
import type { ApiClient } from './client.ts'
import { readJob } from './job-progress.ts'
import { listServed } from './records.ts'

/** `dropped`: no longer stored. `running`: its script has not ended. `unknown`: no stored job has one. */
export type OutputState = 'read' | 'dropped' | 'running' | 'unknown'

export interface ClientOutput {
  client: string
  /** '' unless `state` is `read`. */
  output: string
  state: OutputState
}

/** One step of a job. */
export interface StepOutputs {
  step: number
  command: string
  outputs: ClientOutput[]
}

/** The agents' request that runs a script. */
const scriptRoute = 'POST /shell/run'

/** Whether clients have an output after a command that is forwarded as `forward`. */
export const runsScript = (forward: string | undefined): boolean => forward === scriptRoute

const ran: PartState[] = ['success', 'failure']

/** The job with the outputs of its parts. */
export async function readWithOutputs(api: ApiClient, job: JobDetails): Promise<JobDetails> {
  const clients = [...new Set(job.parts.filter(({ state }) => ran.includes(state)).map(({ client }) => client))]
  const read = new Map<string, PartAnswer>()
  for (const part of await readParts(api, job.id, clients)) read.set(partKey(part), part)
  return { ...job, parts: job.parts.map(part => read.get(partKey(part)) ?? part) }
}

const partKey = ({ client, step }: PartAnswer) => `${client} ${step}`

/** By step, of the clients on which it has run. */
export async function readJobOutputs(api: ApiClient, job: JobDetails): Promise<StepOutputs[]> {
  const steps = new Map<number, StepOutputs>()
  for (const part of (await readWithOutputs(api, job)).parts) {
    if (!ran.includes(part.state)) continue
    const entry = steps.get(part.step) ?? { step: part.step, command: part.command, outputs: [] }
    entry.outputs.push(toOutput(part))
    steps.set(part.step, entry)
  }
  return [...steps.values()].sort((a, b) => a.step - b.step)
}

function toOutput({ client, state, output = '', output_dropped }: PartAnswer): ClientOutput {
  if (!ran.includes(state)) return { client, output: '', state: 'running' }
  return { client, output, state: output_dropped ? 'dropped' : 'read' }
}

/** Jobs that are searched, from the newest on. */
const searchedJobs = 100

/** What the last script on each client printed, from the jobs that are stored. */
export async function readLastOutputs(api: ApiClient, clients: readonly string[]): Promise<ClientOutput[]> {
  const outputs = new Map<string, ClientOutput>()
  const served = await listServed(api)
  const scripts = new Set(served.filter(({ forward }) => runsScript(forward)).map(({ command }) => command))
  const isScript = ({ command, state }: PartAnswer) => scripts.has(command) && (ran.includes(state) || state === 'sent')
  for (const job of await listJobs(api, clients)) {
    if (outputs.size === clients.length) break
    if (!job.commands.some(command => scripts.has(command))) continue
    const { parts } = await readJob(api, job.id)
    const inJob = new Set(parts.filter(isScript).map(({ client }) => client))
    const searched = clients.filter(client => inJob.has(client) && !outputs.has(client))
    // Of several scripts in one job the last one counts.
    for (const part of await readParts(api, job.id, searched))
      if (isScript(part)) outputs.set(part.client, toOutput(part))
  }
  return clients.map(client => outputs.get(client) ?? { client, output: '', state: 'unknown' })
}

async function listJobs({ call }: ApiClient, clients: readonly string[]): Promise<JobAnswer[]> {
  const query = new URLSearchParams({ limit: String(searchedJobs) })
  if (clients.length === 1 && clients[0]) query.set('client', clients[0])
  return (await call<JobsAnswer>(`GET /jobs?${query}`)).body.jobs
}

/** Requests at a time: more would delay other callers. */
const parallelRequests = 8

/** The parts of a job with their outputs, which the daemon returns for one client at a time. */
async function readParts(api: ApiClient, job: number, clients: string[]): Promise<PartAnswer[]> {
  const results: PartAnswer[][] = []
  const remaining = clients.entries()
  const work = async () => {
    for (const [index, client] of remaining) results[index] = (await readJob(api, job, client)).parts
  }
  await Promise.all(Array.from({ length: parallelRequests }, work))
  return results.flat()
}
