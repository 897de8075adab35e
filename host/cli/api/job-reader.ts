// Reads jobs with all their parts and with what scripts printed, and waits until a job has ended.
import { setTimeout as wait } from 'node:timers/promises'
import { countUnfinished, endsQueued, hasRun } from '../../../stores/rules/part-states.ts'
import type { JobAnswer, JobDetails, PartAnswer } from '../../contract/answers.ts'
import { runsScript } from '../../contract/api-document.ts'
import type { CliContext } from '../context.ts'
import { withProgress } from '../terminal/live-view.ts'
import { formatBar } from '../terminal/progress-bar.ts'
import { type ApiClient, readPages } from './client.ts'
import { listSums, sumStates } from './job-sums.ts'
import { listServed } from './served-commands.ts'

/** Larger than any part's number: the response has the counts and no parts. */
const afterLastPart = 999_999_999

const firstPollMilliseconds = 100
const maximumPollMilliseconds = 1000

/** Resolves when all parts have ended, or are `done`. Ctrl-C ends the program; the job continues. */
export function waitForJob(context: CliContext, id: number, done = isEnded): Promise<void> {
  const { connect, progress } = context
  const { call } = connect()
  const started = Date.now()
  return withProgress(
    context,
    `job ${id} continues; fleet job ${id} shows its results, fleet job stop ${id} stops it`,
    async () => {
      for (let pause = firstPollMilliseconds; ; pause = Math.min(maximumPollMilliseconds, pause * 1.5)) {
        const { body: job } = await call(`GET /jobs/${id}?after=${afterLastPart}`)
        if (done(job.counts)) return
        progress(progressLine(job, Math.round((Date.now() - started) / 1000)))
        await wait(pause)
      }
    },
  )
}

export const isEnded = (counts: JobAnswer['counts']) => countUnfinished(counts) === 0

const barLength = 24

const notableStates = sumStates.filter(state => state !== 'success' && (state === 'stopped' || !endsQueued(state)))

function progressLine({ id, name, counts }: JobAnswer, seconds: number): string {
  const total = sum(counts)
  const ended = total - countUnfinished(counts)
  const bar = formatBar((ended / Math.max(1, total)) * 100, barLength)
  const notable = listSums({ ...counts, stopped: 0 }, notableStates).map(({ text }) => text)
  const states = notable.length > 0 ? `${notable.join(', ')}  ` : ''
  return `job ${id} ${name}  ${bar} ${ended}/${total}  ${states}${seconds} s`
}

const sum = (counts: JobAnswer['counts']) => Object.values(counts).reduce((total, count) => total + count, 0)

/** The job with its parts of all pages; of one client with their outputs. */
export const readJob = (api: ApiClient, id: number, client?: string): Promise<JobDetails> =>
  readPages(
    query => api.call(`GET /jobs/${id}?${new URLSearchParams({ ...(client && { client }), ...query })}`),
    ({ parts }) => parts,
  )

/** Jobs that are read for what runs or waits: a list of computers should not wait long. */
const mostJobs = '20'

export type JobPart = PartAnswer & { job: number }

/** What clients run now, or what waits for them, as far as jobs say it. */
export async function readPartsIn(api: ApiClient, state: 'sent' | 'queued'): Promise<JobPart[]> {
  const { body } = await api.call(`GET /jobs?${new URLSearchParams({ state, limit: mostJobs })}`)
  const jobs = await Promise.all(body.jobs.map(({ id }) => readJob(api, id)))
  return jobs.flatMap(({ id, parts }) => parts.filter(part => part.state === state).map(part => ({ ...part, job: id })))
}

const isRunning = ({ state }: PartAnswer) => state === 'sent'

/** Whether every client succeeded with every step. */
export const isSuccess = ({ counts }: JobAnswer): boolean => counts.success === sum(counts)

/** `dropped`: no longer stored. `running`: its script has not ended. `unknown`: no stored job has one. */
export type OutputState = 'read' | 'dropped' | 'running' | 'unknown'

export interface ClientOutput {
  client: string
  /** '' unless `state` is `read`, or `running` of a script that has printed something. */
  output: string
  state: OutputState
  /** When the script that runs was sent, an ISO time. */
  since?: string | undefined
}

/** One step of a job. */
export interface StepOutputs {
  step: number
  command: string
  outputs: ClientOutput[]
}

/** The job with the outputs of its parts; of scripts that run with what they have printed so far. */
export async function readWithOutputs(api: ApiClient, job: JobDetails): Promise<JobDetails> {
  const clients = [...new Set(job.parts.filter(hasRun).map(({ client }) => client))]
  const read = new Map<string, PartAnswer>()
  for (const part of await readParts(api, job.id, clients)) read.set(partKey(part), part)
  const parts = job.parts.map(part => read.get(partKey(part)) ?? part)
  return { ...job, parts: await withPrinted(api, parts) }
}

/** With what those have printed that run a script. */
async function withPrinted(api: ApiClient, parts: PartAnswer[]): Promise<PartAnswer[]> {
  if (!parts.some(isRunning)) return parts
  const scripts = await readScriptCommands(api)
  const runsNow = (part: PartAnswer) => isRunning(part) && scripts.has(part.command)
  const clients = parts.filter(runsNow).map(({ client }) => client)
  if (clients.length === 0) return parts
  const { body } = await api.call('POST /shell/output', { clients })
  const printed = new Map(body.clients.map(({ addr, output }) => [addr, output]))
  return parts.map(part => (runsNow(part) ? { ...part, output: printed.get(part.client) ?? '' } : part))
}

/** The commands that run scripts. */
async function readScriptCommands(api: ApiClient): Promise<Set<string>> {
  const served = await listServed(api)
  return new Set(served.filter(({ forward }) => runsScript(forward)).map(({ command }) => command))
}

/** Whether a step of the job runs a script. */
export async function hasScript(api: ApiClient, { commands }: JobAnswer): Promise<boolean> {
  const scripts = await readScriptCommands(api)
  return commands.some(command => scripts.has(command))
}

const partKey = ({ client, step }: PartAnswer) => `${client} ${step}`

/** By step, of the clients on which it has run or runs. */
export async function readJobOutputs(api: ApiClient, job: JobDetails): Promise<StepOutputs[]> {
  const parts = (await readWithOutputs(api, job)).parts.filter(part => hasRun(part) || isRunning(part))
  const commands = new Map(parts.map(({ step, command }) => [step, command]))
  const steps = [...commands].sort(([one], [other]) => one - other)
  return steps.map(([step, command]) => {
    return { step, command, outputs: parts.filter(part => part.step === step).map(toOutput) }
  })
}

const toOutput = ({ client, state, output = '', output_dropped, sent }: PartAnswer): ClientOutput =>
  hasRun({ state })
    ? { client, output, state: output_dropped ? 'dropped' : 'read' }
    : { client, output, state: 'running', since: sent }

/** Jobs that are searched, from the newest on. */
const searchedJobs = 100

/** What the last script on each client printed, from the jobs that are stored. */
export async function readLastOutputs(api: ApiClient, clients: readonly string[]): Promise<ClientOutput[]> {
  const outputs = new Map<string, ClientOutput>()
  const scripts = await readScriptCommands(api)
  const isScript = (part: PartAnswer) => scripts.has(part.command) && (hasRun(part) || isRunning(part))
  const query = new URLSearchParams({ limit: String(searchedJobs) })
  if (clients.length === 1 && clients[0]) query.set('client', clients[0])
  const { body } = await api.call(`GET /jobs?${query}`)
  for (const job of body.jobs) {
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

/** By address: a client runs one part at a time. */
export const readRunning = async (api: ApiClient): Promise<Map<string, JobPart>> =>
  new Map((await readPartsIn(api, 'sent')).map(part => [part.client, part]))

/** Where scripts run now, `outputs` of them are marked. */
export async function markRunning(api: ApiClient, outputs: ClientOutput[]): Promise<ClientOutput[]> {
  const running = await readRunning(api)
  const scripts = running.size > 0 ? await readScriptCommands(api) : new Set()
  return outputs.map(each => {
    const part = running.get(each.client)
    return part && scripts.has(part.command) ? { ...each, state: 'running', since: part.sent } : each
  })
}

/** Requests at a time: more would delay other callers. */
const parallelRequests = 8

/** The parts of a job with their outputs, which the daemon returns for one client at a time. */
async function readParts(api: ApiClient, job: number, clients: string[]): Promise<PartAnswer[]> {
  const results = new Map<string, PartAnswer[]>()
  await inParallel(clients, async client => void results.set(client, (await readJob(api, job, client)).parts))
  return clients.flatMap(client => results.get(client) ?? [])
}

/** Runs `work` for each item, a few at a time. */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const remaining = items.values()
  const take = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: parallelRequests }, take))
}
