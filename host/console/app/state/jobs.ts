// A job as the page follows it: each part has a signal of its own, and its counts change once per frame.
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { countUnfinished, isUnfinished } from '../../../../stores/rules/part-states.ts'
import type { JobAnswer, PartAnswer } from '../../../contract/answers.ts'
import type { StreamEvent } from '../../../contract/fleet-events.ts'
import { dropRead, onEvents, onMissingEvents, readAgain } from './events.ts'
import { type Counts, noCounts, stateOf } from './part-counts.ts'
import { type JobOrReason, readJob } from './read-job.ts'

type EventOf<Type> = StreamEvent & { type: Type }
type PartEvent = EventOf<'job-part'> | EventOf<'job-progress'>

export interface PartView {
  /** Unique in the job. */
  readonly key: string
  readonly client: string
  readonly step: number
  readonly command: string
  readonly live: Signal<PartAnswer>
}

export interface JobView {
  readonly id: number
  /** Undefined until it was read. */
  readonly job: Signal<JobAnswer | undefined>
  readonly parts: Signal<readonly PartView[]>
  /** A new object whenever a part has changed. */
  readonly counts: Signal<Counts>
  readonly isFinished: ReadonlySignal<boolean>
  /** Why it could not be read, '' when it could. */
  readonly problem: Signal<string>
}

interface FollowedJob extends JobView {
  /** Returns the function that ends it. */
  follow(): () => void
}

/** Follows the job while the component is shown. */
export function useJob(id: number): JobView {
  const view = useMemo(() => createJob(id), [id])
  useEffect(() => view.follow(), [view])
  return view
}

/** Milliseconds in which reasons to read the job again are gathered. */
const gatherTime = 500

function createJob(id: number): FollowedJob {
  const job = signal<JobAnswer | undefined>(undefined)
  const parts = signal<readonly PartView[]>([])
  const counts = signal<Counts>(noCounts())
  const problem = signal('')
  const isFinished = computed(() => job.value !== undefined && countUnfinished(counts.value) === 0)
  const view: JobView = { id, job, parts, counts, isFinished, problem }
  return { ...view, follow: () => follow(view) }
}

function follow(view: JobView): () => void {
  const { id } = view
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let isOver = false
  /** Events that came while the job was read; undefined while it is not. */
  let waiting: PartEvent[] | undefined
  let changes = new Map<PartView, PartAnswer>()

  const read = async () => {
    timer = undefined
    if (waiting) return later()
    waiting = []
    const read = await readJob(id)
    const events = waiting
    waiting = undefined
    if (isOver) return
    changes.clear()
    if ('isUnread' in read && read.isUnread) readAgain(later)
    show(view, read)
    for (const event of events) receive(event)
  }
  const later = () => {
    timer ??= setTimeout(() => void read(), gatherTime)
  }
  const flush = () => {
    frame = 0
    const now = changes
    changes = new Map()
    apply(view, now)
  }
  const receive = (event: PartEvent) => {
    if (waiting) return void waiting.push(event)
    const changed = event.type === 'job-progress' ? copiedPart(view, event, changes) : endedPart(view, event, changes)
    if (changed === 'unknown') return later()
    if (!changed) return
    changes.set(...changed)
    if (frame === 0) frame = requestAnimationFrame(flush)
  }
  const offMissing = onMissingEvents(later)
  const offEvents = onEvents(event => {
    // What has waited was sent: there is no event of the job for that.
    if (event.type === 'client-state') return void (event.state === 'BSY' && isWaiting(view, event) && later())
    if (!('job' in event) || event.job !== id) return
    if (event.type === 'job-finished') later()
    else if (event.type === 'job-part' || event.type === 'job-progress') receive(event)
  })
  void read()
  return () => {
    isOver = true
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    dropRead(later)
    offMissing()
    offEvents()
  }
}

const isWaiting = ({ parts, counts }: JobView, { clients }: StreamEvent) =>
  counts.peek().queued > 0 &&
  parts.peek().some(({ client, live }) => live.peek().state === 'queued' && clients.includes(client))

/**
 * The part that an event has ended, with its new state. `unknown`: the event does not say it all, as in a job of
 * several steps.
 */
function endedPart(
  { job, parts }: JobView,
  { clients, state, reason, time }: EventOf<'job-part'>,
  changes: ReadonlyMap<PartView, PartAnswer>,
): [PartView, PartAnswer] | 'unknown' | undefined {
  // Who has stopped it is in the job.
  if (job.peek()?.commands.length !== 1 || reason?.startsWith('interrupted ')) return 'unknown'
  const part = partIndex(parts.peek()).get(clients[0] ?? '')
  if (!part) return 'unknown'
  const before = changes.get(part) ?? part.live.peek()
  if (!isUnfinished(before)) return undefined
  const { progress: _, waiting: __, ...rest } = before
  return [part, { ...rest, state, ended: time, reason }]
}

/** The part that an event reports the progress of; not when it has ended meanwhile. */
function copiedPart(
  { parts }: JobView,
  { clients: [client], step, percent, rate, remaining }: EventOf<'job-progress'>,
  changes: ReadonlyMap<PartView, PartAnswer>,
): [PartView, PartAnswer] | undefined {
  const part = parts.peek().find(each => each.client === client && each.step === step)
  const before = part && (changes.get(part) ?? part.live.peek())
  if (!before || !isUnfinished(before)) return undefined
  return [part, { ...before, progress: { percent, rate, remaining } }]
}

/** By address; kept as long as the list of parts is the same. */
const indexes = new WeakMap<readonly PartView[], Map<string, PartView>>()

function partIndex(parts: readonly PartView[]): Map<string, PartView> {
  const index = indexes.get(parts) ?? new Map(parts.map(part => [part.client, part]))
  indexes.set(parts, index)
  return index
}

function apply({ counts }: JobView, changes: ReadonlyMap<PartView, PartAnswer>): void {
  if (changes.size === 0) return
  const next = { ...counts.peek() }
  batch(() => {
    for (const [{ live }, part] of changes) {
      next[stateOf(live.peek())] -= 1
      next[stateOf(part)] += 1
      live.value = part
    }
    counts.value = next
  })
}

/** Keeps the views of parts: only rows that differ are drawn again. */
function show({ job, parts, counts, problem }: JobView, read: JobOrReason): void {
  if ('reason' in read) {
    problem.value = read.reason
    return
  }
  const { parts: answers, ...rest } = read.details
  const known = new Map(parts.peek().map(part => [part.key, part]))
  const next = { ...noCounts() }
  batch(() => {
    const views = answers.map(answer => {
      next[stateOf(answer)] += 1
      const { client, step, command } = answer
      const key = `${client} ${step}`
      const view = known.get(key)
      if (!view) return { key, client, step, command, live: signal(answer) }
      if (shownOf(view.live.peek()) !== shownOf(answer)) view.live.value = answer
      return view
    })
    const isKept = views.length === parts.peek().length && views.every((view, index) => view === parts.peek()[index])
    if (!isKept) parts.value = views
    counts.value = next
    job.value = rest
    problem.value = ''
  })
}

/** How long it runs is not shown. */
const shownOf = ({ running: _, ...part }: PartAnswer) => JSON.stringify(part)
