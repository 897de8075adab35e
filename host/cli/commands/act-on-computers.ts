// What commands for computers have in common: the selection, the question, the wait, and the short report.
import { groupBy } from '../../../stores/rules/group-by.ts'
import { isUnfinished } from '../../../stores/rules/part-states.ts'
import type { JobDetails, PartAnswer } from '../../contract/answers.ts'
import { isEnded, isSuccess, readJob, waitForJob } from '../api/job-reader.ts'
import { stateWord } from '../api/job-sums.ts'
import { readComputers, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { CliError, DryRun, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { agentHint } from '../terminal/agent-hint.ts'
import { foldByReason } from '../terminal/folded-names.ts'
import { formatWait } from '../terminal/progress-bar.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { plural } from '../terminal/text-table.ts'
import { confirm, describeComputers, describeUse } from './confirm.ts'
import type { FlagsOf } from './subcommand.ts'
import { durationOf, noComputers, scopeOptions, type yesOption } from './subcommand-options.ts'

export const actOptions = {
  ...scopeOptions,
  '--dry-run': 'only say which computers would get it, and which not and why',
  '--no-wait': 'return when it is sent; fleet job shows what becomes of it',
  '--json': 'print the job with its parts as JSON',
} as const

/** Of commands that the API queues. */
export const queueOptions = {
  '--queue': 'computers that are off or busy get it later',
  '--until <time>': 'with --queue: until then, 06:30 or 2h; later by what waits before it for that computer',
} as const

export type ActFlags = FlagsOf<typeof actOptions> & Partial<FlagsOf<typeof queueOptions & typeof yesOption>>

/** The addresses of `words`, which are names or addresses, and of the options. */
export async function selectComputers(
  { connect }: CliContext,
  where: string,
  words: readonly string[],
  { client = [], ...flags }: ScopeFlags,
): Promise<string[]> {
  const addresses = await resolveAddresses(connect(), { ...flags, client: [...words, ...client] })
  if (addresses.length === 0) throw usageError(`${where}: ${noComputers}`)
  return addresses
}

/** Asks, with who is logged in there; `effect` is `Power off`. */
export async function confirmFor(
  context: CliContext,
  clients: string[],
  { where, effect, flags }: { where: string; effect: string; flags: Pick<ActFlags, 'yes' | 'dryRun'> },
): Promise<void> {
  if (flags.dryRun) return
  const api = context.connect()
  const describe = async () => {
    const computers = await readComputers(api)
    const subject = describeComputers(clients, 'computer', computers)
    return `${effect} ${subject}${await describeUse(api, clients, computers)}`
  }
  await confirm(context, flags.yes, { where, needsConsent: false, describe })
}

type QueueFlags = Pick<ActFlags, 'queue' | 'until'> & { wake?: boolean | undefined }

interface Payload {
  clients: string[]
  [key: string]: unknown
}

/** Sends a command to clients. Resolves to the id of its job; throws `DryRun` where that is asked for. */
export async function sendCommand(
  context: CliContext,
  route: `POST ${string}`,
  payload: Payload,
  { dryRun, ...flags }: QueueFlags & Partial<Pick<ActFlags, 'dryRun' | 'json'>>,
  reasons?: Report['reasons'],
): Promise<number> {
  if (dryRun) {
    await printPreview(context, route, [payload], { flags, reasons })
    throw new DryRun()
  }
  const { job } = await context.connect().call(`${route}${queryOf(flags)}`, payload)
  if (job === undefined) throw new CliError(`${route}: expected a job, got none: the daemon does not report results`)
  return job
}

interface PreviewOptions extends Pick<Report, 'without'> {
  flags: QueueFlags & Partial<Pick<ActFlags, 'json'>>
  reasons?: Report['reasons'] | undefined
}

/** `would be sent to 11 of 12 computers; 1 not: lab-c03 not connected`. */
export async function printPreview(
  { connect, print, printJson }: CliContext,
  route: `POST ${string}`,
  payloads: Payload[],
  { flags, without = new Map(), reasons = {} }: PreviewOptions,
): Promise<void> {
  const api = connect()
  const refused = new Map(without)
  for (const payload of payloads) {
    const { body } = await api.call(`${route}${queryOf(flags, { dry_run: '1' })}`, payload)
    const { clients } = body as { clients: { client: string; refused?: string }[] } // What every preview has.
    for (const { client, refused: reason } of clients) if (reason !== undefined) refused.set(client, reason)
  }
  const all = [...new Set([...payloads.flatMap(({ clients }) => clients), ...without.keys()])]
  if (flags.json) return printJson({ clients: all.map(client => ({ client, refused: refused.get(client) })) })
  const computers = await readComputers(api)
  const others = [...refused].map(([client, reason]) => ({
    name: computers.get(client)?.name ?? client,
    reason: reasons[reason] ?? reason,
  }))
  const count = all.length
  const total = plural(count, 'computer')
  const sent = others.length === 0 ? total : `${count - others.length} of ${total}`
  const rest = others.length === 0 ? '' : `; ${others.length} not: ${onOneLine(foldByReason(others).join(', '))}`
  print(`would be sent to ${sent}${rest}`)
}

function queryOf({ queue, until, wake }: QueueFlags, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(more)
  if (until !== undefined) query.set('expires', String(secondsUntil(until)))
  if (wake) query.set('wake', '1')
  if (queue || until !== undefined || wake) query.set('queue', '1')
  return query.size === 0 ? '' : `?${query}`
}

/** Seconds to the next time that a clock here shows `06:30`, or of `2h`. */
function secondsUntil(text: string): number {
  const duration = durationOf(text, 'smhd')
  if (duration) return Math.ceil(duration / 1000)
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour === undefined) throw usageError(`--until: expected a time such as 06:30, 90m or 2h, got ${text}`)
  const time = new Date()
  time.setHours(Number(hour), Number(minute), 0, 0)
  if (time.getTime() <= Date.now()) time.setDate(time.getDate() + 1)
  return Math.ceil((time.getTime() - Date.now()) / 1000)
}

export interface Report {
  jobs: number[]
  /** What has become of those that succeeded: `off`. */
  done: string
  /** Addresses that were sent nothing, with the reason. */
  without?: ReadonlyMap<string, string>
  /** What is printed in place of some reasons, which are no failures. */
  reasons?: Readonly<Record<string, string>>
  /** Whether `fleet doctor` says more of failures than is printed. */
  isExplained?: true
}

/** With queued parts it waits only for those that run. */
const nothingRuns = ({ sent }: JobDetails['counts']) => sent === 0

/** Waits, and prints one line: `28 of 30 off; 2 not: lab-c[07,09] not connected`. Fails unless all succeeded. */
export async function reportJobs(context: CliContext, flags: ActFlags, report: Report): Promise<void> {
  const { print, printJson, connect } = context
  const { jobs, without } = report
  const isQueued = (flags.queue ?? flags.until) !== undefined
  if (flags.wait !== false) for (const id of jobs) await waitForJob(context, id, isQueued ? nothingRuns : isEnded)
  const details = await Promise.all(jobs.map(id => readJob(connect(), id)))
  const skipped = [...(without ?? [])].map(([client, reason]) => ({ client, reason }))
  if (flags.json) printJson(without ? { jobs: details, skipped } : details[0])
  else if (flags.wait === false)
    print(jobs.map(id => `job ${id} started; fleet job ${id} shows its results`).join('\n'))
  else print(await formatReport(context, details, { ...report, skipped }))
  const isFine = ({ state, reason = '' }: PartAnswer) =>
    state === 'success' || Object.hasOwn(report.reasons ?? {}, reason)
  const isGood = (job: JobDetails) =>
    isSuccess(job) || (flags.wait === false ? !isEnded(job.counts) : onlyWaits(job) || job.parts.every(isFine))
  if (skipped.length > 0 || !details.every(isGood)) context.fail()
}

const onlyWaits = ({ counts, parts }: JobDetails) => counts.success + counts.queued === parts.length

interface Outcome {
  client: string
  reason: string
}

async function formatReport(
  { connect }: CliContext,
  jobs: JobDetails[],
  { done, skipped, reasons = {}, isExplained }: Report & { skipped: Outcome[] },
): Promise<string> {
  const computers = await readComputers(connect())
  const parts = jobs.flatMap(job => job.parts)
  const waiting = parts.filter(part => isUnfinished(part)).map(toOutcome)
  const others = [...skipped, ...parts.filter(part => !isUnfinished(part) && part.state !== 'success').map(toOutcome)]
  const total = parts.length + skipped.length
  const cut = isExplained && parts.find(({ state, reason }) => state === 'failure' && reason?.includes('; '))
  const nameOf = (client: string) => computers.get(client)?.name ?? client
  const count = total - waiting.length - others.length
  // What is as it was asked for is counted only.
  const fine = groupBy(
    others.filter(({ reason }) => Object.hasOwn(reasons, reason)),
    ({ reason }) => reason,
  )
  const failed = others.filter(({ reason }) => !Object.hasOwn(reasons, reason))
  const describe = (outcomes: Outcome[]) =>
    foldByReason(outcomes.map(({ client, reason }) => ({ name: nameOf(client), reason }))).join(', ')
  const all = count === total ? plural(total, 'computer') : `${count} of ${total}`
  return [
    paint(failed.length === 0 ? 'green' : 'yellow', `${all} ${done}`),
    ...(failed.length === 0 ? [] : [`${failed.length} not: ${onOneLine(describe(failed))}`]),
    ...Array.from(fine, ([reason, { length }]) => `${length} ${reasons[reason]}`),
    ...(waiting.length === 0
      ? []
      : [`${waiting.length} later: ${onOneLine(describe(waiting))} (${jobs.map(({ id }) => `fleet job ${id}`)})`]),
    ...(cut ? [`fleet doctor ${onOneLine(nameOf(cut.client))} says more`] : []),
    ...agentHint(describe(failed)),
  ].join('; ')
}

/** A reason says more than the state. */
function toOutcome({ client, state, reason, waiting }: PartAnswer): Outcome {
  // What follows says why, in `fleet job`.
  const text = reason?.split('; ')[0] || (waiting && formatWait(waiting))
  return { client, reason: text || (state === 'queued' ? 'off or busy' : stateWord(state)) }
}
