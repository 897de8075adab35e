// The jobs that have not finished, for the header of the page, and the one that its drawer shows.
import { computed, signal } from '@preact/signals'
import { unfinishedStates } from '../../../../stores/rules/part-states.ts'
import type { JobsAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { onEvents, onMissingEvents, readAgain } from './events.ts'
import { changeDrawer, route } from './route.ts'

const unfinished = signal<ReadonlySet<number>>(new Set())

export const runningCount = computed(() => unfinished.value.size)

/** The job that the drawer of the page shows; undefined when it is closed. */
export const shownJob = computed(() => Number(route.value.query.get('job')) || undefined)

/** What the drawer showed last. */
let lastShown = 0

/** Opens the drawer; without a job it is closed. */
export function showJob(id?: number): void {
  lastShown = id ?? shownJob.peek() ?? lastShown
  changeDrawer({ job: id === undefined ? '' : String(id), peek: '' })
}

/** The one that the drawer showed last, if it has not finished; otherwise the newest. */
export const lastRunning = (): number => (unfinished.peek().has(lastShown) ? lastShown : Math.max(...unfinished.peek()))

/** What events said while the list was read: it may be older than they. Undefined while it is not read. */
let created: Set<number> | undefined
let finished = new Set<number>()

async function read(): Promise<void> {
  created = new Set()
  finished = new Set()
  const own = created
  const replies = await Promise.all(unfinishedStates.map(state => get<JobsAnswer>(`/jobs?state=${state}`)))
  if (created !== own) return
  if (replies.some(({ status }) => status === 0)) readAgain(readNow)
  const ids = new Set([...replies.flatMap(({ value }) => value?.jobs.map(({ id }) => id) ?? []), ...created])
  for (const id of finished) ids.delete(id)
  created = undefined
  unfinished.value = ids
}

const readNow = () => void read()

onMissingEvents(readNow)
onEvents(event => {
  if (event.type !== 'job-created' && event.type !== 'job-finished') return
  const { type, job } = event
  if (created) (type === 'job-created' ? created : finished).add(job)
  const next = new Set(unfinished.peek())
  if (type === 'job-created') next.add(job)
  else next.delete(job)
  unfinished.value = next
})
