// Reads jobs for callers: the newest ones, or one with its parts.
import type { Job, Part, PartCounts, Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { JobEntry, JobReads, JobRuns, PartProgress, Refusal, Rights } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'
import { JobComputers } from './job-computers.ts'
import { type FoundJob, reportJob, timeText } from './job-report.ts'
import { JobRoomReader } from './job-room-reader.ts'
import { createWaitOf, type PartWaitsDeps } from './queue/part-waits.ts'
import { type FindCommand, stoppedBy } from './record/stopped-by.ts'
import { longestRunning, type RunningTimesDeps, runningTimes } from './running-times.ts'

interface ReadJobsDeps extends PartWaitsDeps, RunningTimesDeps {
  store: Pick<Store, 'jobs' | 'scopes'>
  /** How far the running parts of a job are that copy images. */
  progress: { of(job: number): readonly PartProgress[] }
  waitsOf: JobRuns['waitsOf']
  registry: { find: FindCommand }
}

/** How many parts one response has, so that it stays within the response limit. */
const pageSize = 500

/** How many command names an entry has, so that a list of 100 jobs stays within the response limit. */
const listedCommands = 20

/** Bytes of the arguments of a response, so that a list, or one job with 500 parts, stays within its limit. */
const argumentBytes = 65_536

/** Characters of one text in the arguments. */
const textCharacters = 4096

export function createReadJobs({ store, progress, waitsOf, registry, ...deps }: ReadJobsDeps): JobReads {
  const stopperOf = ({ steps }: Job, { step, reason }: Pick<Part, 'step' | 'reason'>) =>
    stoppedBy({ command: steps[step]?.command ?? '', reason }, name => registry.find(name))
  const jobComputers = new JobComputers({ store, registry })
  const jobRooms = new JobRoomReader({ store })
  return {
    async list(filter, rights) {
      const clients = await clientsWithin(rights, store)
      const jobs = await store.jobs.list({ ...filter, clients })
      const argumentsOf = jobArguments()
      const entries: JobEntry[] = []
      for (const job of jobs) {
        const running = job.counts.sent > 0 ? await longestRunning(job, clients, { ...deps, store }) : undefined
        const computers = await jobComputers.of({ job, clients })
        const rooms = await jobRooms.of({ job, clients })
        entries.push({ ...jobEntry(job, rights), computers, ...rooms, running, arguments: argumentsOf(job) })
        await slices.pause()
      }
      return entries
    },

    async read(id, { client, after }, rights) {
      const found = await findJob(id, rights, store)
      if (isRefusal(found)) return found
      const { job, clients } = found
      const page = { after, limit: pageSize + 1, client, clients, outputs: client !== undefined }
      const parts = await store.jobs.parts(job.id, page)
      const progressOf = progressByPart(progress.of(job.id))
      const waitOf = createWaitOf(job, await waitsOf(job.id), deps)
      const entries = parts.slice(0, pageSize).map(part => {
        const entry = {
          ...partEntry(job, part),
          stopped: part.state === 'failure' ? stopperOf(job, part) : undefined,
          progress: progressOf(part),
          waiting: waitOf({ ...part, job: job.id }),
          running: runningTimes(job, part, deps),
        }
        if (client === undefined) return entry
        return { ...entry, output: part.output, output_dropped: part.output_dropped }
      })
      const next = parts.length > pageSize ? parts[pageSize - 1]?.index : undefined
      return { ...jobEntry(job, rights), arguments: jobArguments()(job), parts: entries, next }
    },

    async report(query, rights) {
      const found = await findJob(query.id, rights, store)
      if (isRefusal(found)) return found
      const waitOf = createWaitOf(found.job, await waitsOf(found.job.id), deps)
      return reportJob({ ...found, waitOf }, query, store)
    },
  }
}

/** A job with a computer of the caller. */
async function findJob(id: string, rights: Rights, store: ReadJobsDeps['store']): Promise<FoundJob | Refusal> {
  const clients = await clientsWithin(rights, store)
  const job = /^\d+$/.test(id) ? await store.jobs.find(Number(id), clients) : undefined
  if (job) return { job, clients }
  return rights.isLimited
    ? refuse('id: expected a job with computers of the token', 403)
    : refuse(`id: there is no job ${id}`)
}

/** The addresses of a limited caller's computers. */
async function clientsWithin({ isLimited, reachesRoom, hasClient }: Rights, { scopes }: Pick<Store, 'scopes'>) {
  if (!isLimited) return undefined
  const rooms = (await scopes()).flatMap(({ scope }) => scope.filter(({ id }) => reachesRoom(id)))
  return rooms.flatMap(({ scope }) => scope.flatMap(node => ('ip' in node && hasClient(node.ip) ? [node.ip] : [])))
}

/** `steps` is the number of steps when there are more than the names in `commands`. */
function jobEntry(job: Job & { counts: PartCounts }, { isLimited, name: asker }: Rights) {
  const { id, created, origin, name, by, caller, where, schedule, retry_of, steps, counts } = job
  const commands = steps.slice(0, listedCommands).map(({ command }) => command)
  return {
    id,
    created: new Date(created).toISOString(),
    origin,
    name,
    by,
    // The address of another caller may be that of a computer outside the limits.
    caller: isLimited && by !== asker ? undefined : caller,
    // It may name what is outside the limits.
    where: isLimited && by !== asker ? undefined : where,
    schedule,
    retry_of,
    commands,
    steps: steps.length > commands.length ? steps.length : undefined,
    counts,
  }
}

function partEntry({ steps }: Job, { client, step, state, reason, queued, sent, ended }: Part) {
  return {
    client,
    step,
    command: steps[step]?.command ?? '',
    state,
    reason: reason || undefined,
    queued: new Date(queued).toISOString(),
    sent: timeText(sent),
    ended: timeText(ended),
  }
}

/** Looks up how far a part is; undefined for parts that copy no image, or have ended. */
function progressByPart(list: readonly PartProgress[]) {
  const keyOf = ({ client, step }: Pick<Part, 'client' | 'step'>) => `${step} ${client}`
  const progress = new Map(
    list.map(({ percent, rate, remaining, ...part }) => [keyOf(part), { percent, rate, remaining }]),
  )
  return (part: Part) => (part.state === 'sent' ? progress.get(keyOf(part)) : undefined)
}

/**
 * Returns a function to be called for each job of a response: the arguments of the same steps as in `commands`, with
 * texts cut. Of many long ones only the first: those that follow are null.
 */
function jobArguments(): (job: Pick<Job, 'steps'>) => JobEntry['arguments'] {
  let bytes = 0
  return ({ steps }) =>
    steps.slice(0, listedCommands).map(({ payload }) => {
      if (bytes > argumentBytes) return null
      const json = JSON.stringify(payload, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value))
      bytes += Buffer.byteLength(json)
      return bytes > argumentBytes ? null : JSON.parse(json)
    })
}

const cut = (text: string) => (text.length > textCharacters ? `${text.slice(0, textCharacters)}…` : text)
