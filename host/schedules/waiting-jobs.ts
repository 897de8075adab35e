// Which jobs of a schedule, or on some computers, still wait: they run also when the schedule is deleted.
import type { IndexedPart, JobFilter, PartState, Schedule, Store } from '../../stores/store.ts'
import type { Changer } from '../contract/services.ts'
import { nextFiring } from './recurrence.ts'

/** More are not looked for. */
const mostJobs = 100
/** So that a warning stays short. */
export const mostNamed = 5

/** `schedule One (schedule 1), schedule Two (schedule 2) and 3 more`. */
export function firstOf(words: readonly string[]): string {
  const more = words.length > mostNamed ? ` and ${words.length - mostNamed} more` : ''
  return `${words.slice(0, mostNamed).join(', ')}${more}`
}

/** `on`: how many computers, in words. */
interface JobOn {
  job: number
  count: number
  on: string
}

/** The newest jobs that have parts in this state which match, and on how many computers. */
export async function findJobs(
  state: PartState,
  filter: Pick<JobFilter, 'schedule' | 'clients'>,
  { jobs }: Pick<Store, 'jobs'>,
  matches: (part: IndexedPart) => boolean = () => true,
): Promise<JobOn[]> {
  const found: JobOn[] = []
  const { clients } = filter
  for (const { id } of await jobs.list({ ...filter, state, limit: mostJobs })) {
    const page = { state, limit: Number.MAX_SAFE_INTEGER, outputs: false, ...(clients && { clients }) }
    const parts = (await jobs.parts(id, page)).filter(matches)
    const count = new Set(parts.map(({ client }) => client)).size
    if (count > 0) found.push({ job: id, count, on: `${count} ${count === 1 ? 'computer' : 'computers'}` })
  }
  return found
}

export const stateFor = { running: 'sent', cancelled: 'queued' } as const

/** What is said of jobs on computers that are deleted or get another address: `running: job 25 on 3 computers`. */
export async function jobsOn(effect: keyof typeof stateFor, clients: readonly string[], store: Pick<Store, 'jobs'>) {
  const jobs = clients.length === 0 ? [] : await findJobs(stateFor[effect], { clients }, store)
  return jobs.length === 0 ? [] : [`${effect}: ${firstOf(jobs.map(({ job, on }) => `job ${job} on ${on}`))}`]
}

/**
 * `moved to the new address: schedule Nightly (schedule 3)`: what has a list with one of these addresses. Of schedules
 * those that fire again, of tasks those that no schedule runs.
 */
export async function listsOf(clients: readonly string[], store: Pick<Store, 'schedules' | 'tasks' | 'groups'>) {
  if (clients.length === 0) return []
  const moved = new Set(clients)
  const isMoved = ({ clients = [] }: { clients?: readonly string[] } = {}) => clients.some(addr => moved.has(addr))
  const tasks = (await store.tasks.list()).filter(isMoved)
  const schedules = await store.schedules.list()
  const runsTask = ({ type, task }: Schedule, id: number) => type === 'task' && task === id
  const named = schedules.map(async row => {
    const isComing = nextFiring(row, new Date()) !== undefined
    const command = row.type === 'command' ? await store.schedules.findScheduledCommand(row.task) : undefined
    return isComing && (isMoved(command) || tasks.some(({ id }) => runsTask(row, id))) ? row : []
  })
  const free = tasks.filter(({ id }) => !schedules.some(row => runsTask(row, id)))
  const words = [
    ...toWords('schedule', (await Promise.all(named)).flat()),
    ...toWords('task', free),
    ...toWords('group', (await store.groups.list()).filter(isMoved)),
  ]
  return words.length === 0 ? [] : [`moved to the new address: ${firstOf(words)}`]
}

const toWords = (kind: string, rows: readonly { id: number; name: string }[]) =>
  rows.map(({ id, name }) => `${kind} ${name} (${kind} ${id})`)

/** `job 12 still waits on 5 computers: fleet job cancel 12`, the newest first. */
export async function warnOfWaiting(schedule: number, store: Pick<Store, 'jobs'>, { warn }: Pick<Changer, 'warn'>) {
  const waiting = await findJobs('queued', { schedule }, store)
  const lines = waiting.map(({ job, on }) => `job ${job} still waits on ${on}: fleet job cancel ${job}`)
  if (lines.length > 0) warn?.(lines.join('; '))
}
