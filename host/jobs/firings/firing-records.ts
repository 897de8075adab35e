// Keeps how the last firings of each schedule went, also when their jobs are no longer stored: a document per schedule.
import { countUnfinished } from '../../../stores/rules/part-states.ts'
import type { Schedule, Store } from '../../../stores/store.ts'
import type { JobsCluster } from '../../cluster/cluster.ts'
import type { FiringEntry, FiringFilter } from '../../contract/services.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../system/clock.ts'
import { everySeconds } from '../../system/periodic-jobs.ts'
import { type FiringOutcome, type FiringRecord, readOutcome, toEntry } from './firing-outcome.ts'

interface FiringRecordsDeps {
  store: Pick<Store, 'documents' | 'jobs'>
  cluster: Pick<JobsCluster, 'feed'>
  clock: Clock
  log: Log
}

/** Of a schedule, the newest last. */
interface FiringList {
  name: string
  firings: FiringRecord[]
}

/** Keys are the ids of schedules. */
const collection = { pack: '', collection: 'firings' }

/** Of each schedule so many are kept, so long. */
const mostFirings = 30
const longestAge = 30 * 86_400_000

const pageSize = 100
const daySeconds = 86_400
/** So long the host that runs a firing has to record it, before another one does. */
const recordMilliseconds = 10_000
/** Among so many jobs of a schedule that of a firing is looked for. */
const searchedJobs = 100
/** Of writers of the same list; several hosts have one schedule rarely in hand at once. */
const mostAttempts = 20

export class FiringRecords {
  readonly #deps: FiringRecordsDeps
  /** The schedules of jobs that have not ended. */
  readonly #running = new Map<number, number>()
  readonly #stop: (() => void)[]
  readonly #checks = new Set<() => void>()

  constructor(deps: FiringRecordsDeps) {
    this.#deps = deps
    const settle = (job: number) => {
      const schedule = this.#running.get(job)
      if (schedule !== undefined) void this.#logged(schedule, () => this.#settle(schedule, job))
    }
    this.#stop = [
      deps.cluster.feed.on(({ event }) => event.type === 'job-finished' && settle(event.job), ['job-finished']),
      everySeconds(daySeconds, () => void this.#logged(0, () => this.#deleteOld())),
    ]
  }

  /** What has ended while no daemon was there to see it. */
  async start(): Promise<void> {
    await this.#logged(0, async () => {
      await this.#deleteOld()
      for (const { id, firings } of await this.#lists()) {
        for (const { job, outcome } of firings) if (job !== undefined && !outcome) await this.#settle(id, job)
      }
    })
  }

  close(): void {
    for (const stop of [...this.#stop, ...this.#checks]) stop()
  }

  /** Never rejects: a firing does not fail because it cannot be recorded. */
  async add({ id, name }: Pick<Schedule, 'id' | 'name'>, firing: FiringRecord): Promise<void> {
    await this.#logged(id, async () => {
      await this.#change(id, firings => {
        // Another host may have taken it for missed.
        const others = firings.filter(({ time, job }) => time !== firing.time || job !== undefined)
        const isRecorded = firings.some(
          ({ time, job }) => time === firing.time && (firing.job === undefined || job === firing.job),
        )
        return isRecorded ? undefined : { name, firings: [...others, firing].sort((a, b) => a.time - b.time) }
      })
      if (firing.job !== undefined) await this.#settle(id, firing.job)
    })
  }

  /**
   * A job was stored for it: records it soon, unless that is done by then. Who has stored the job may have ended before,
   * or not have got the answer.
   */
  expect(schedule: Pick<Schedule, 'id' | 'name'>, time: number): void {
    this.#later(() => void this.#logged(schedule.id, () => this.#addExpected(schedule, time)))
  }

  #later(work: () => void): void {
    const cancel = this.#deps.clock.after(recordMilliseconds, () => {
      this.#checks.delete(cancel)
      work()
    })
    this.#checks.add(cancel)
  }

  async #addExpected(schedule: Pick<Schedule, 'id' | 'name'>, time: number): Promise<void> {
    const [{ firings } = { firings: [] }] = await this.#find(schedule.id)
    // What was taken for missed has had a job, if one is there.
    if (firings.some(firing => firing.time === time && firing.problem?.state !== 'missed')) return
    const recorded = new Set(firings.map(({ job }) => job))
    const jobs = await this.#deps.store.jobs.list({ schedule: schedule.id, limit: searchedJobs })
    const since = jobs.filter(({ id, created }) => created >= time && !recorded.has(id))
    // The first one: later ones may be those of later firings. But what was stored without an answer is cancelled.
    const job = since.filter(({ counts: { cancelled, ...others } }) => cancelled === 0 || hasAny(others)).at(-1)
    const first = job ?? since.at(-1)
    if (first) await this.add(schedule, { time, job: first.id })
  }

  /** The newest first. */
  async list({ id, since = 0, newest }: FiringFilter): Promise<FiringEntry[]> {
    const lists = id === undefined ? await this.#lists() : await this.#find(id)
    const entries = lists.flatMap(({ id, name, firings }) => {
      const shown = firings.filter(({ time }) => time >= since)
      return (newest ? shown.slice(-1) : shown).map(async firing => {
        const outcome = firing.outcome ?? (await this.#outcomeNow(firing))
        return toEntry({ id, name }, firing, outcome)
      })
    })
    return (await Promise.all(entries)).sort((one, other) => (one.time < other.time ? 1 : -1))
  }

  /** Undefined when there is no job. */
  async #outcomeNow({ job: id }: FiringRecord): Promise<FiringOutcome | undefined> {
    const { store } = this.#deps
    const job = id === undefined ? undefined : await store.jobs.find(id)
    return job && readOutcome(job, store)
  }

  /** Stores the outcome of a job if it has ended, or is gone. */
  async #settle(schedule: number, id: number): Promise<void> {
    const { store } = this.#deps
    const job = await store.jobs.find(id)
    if (job && countUnfinished(job.counts) > 0) return void this.#running.set(id, schedule)
    this.#running.delete(id)
    const outcome = job && (await readOutcome(job, store))
    if (!outcome) return
    await this.#change(schedule, (firings, name) => {
      return { name, firings: firings.map(firing => (firing.job === id ? { ...firing, outcome } : firing)) }
    })
  }

  async #change(schedule: number, change: (firings: FiringRecord[], name: string) => FiringList | undefined) {
    const { store, clock } = this.#deps
    const key = { ...collection, key: String(schedule) }
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const stored = await store.documents.find(key)
      const before: FiringList = stored ? JSON.parse(stored.value) : { name: '', firings: [] }
      const changed = change(before.firings, before.name)
      if (!changed) return
      const kept = changed.firings.filter(({ time }) => time > clock.now() - longestAge).slice(-mostFirings)
      const value = JSON.stringify({ ...changed, firings: kept })
      if ((await store.documents.put({ ...key, value }, { version: stored?.version ?? 0 })) !== 'conflict') return
    }
    throw new Error(`expected its firing to be stored, got ${mostAttempts} conflicts`)
  }

  async #deleteOld(): Promise<void> {
    const { store, clock } = this.#deps
    for (const { id, firings } of await this.#lists()) {
      if (firings.some(({ time }) => time > clock.now() - longestAge)) continue
      await store.documents.delete({ ...collection, key: String(id) })
    }
  }

  async #find(id: number) {
    const document = await this.#deps.store.documents.find({ ...collection, key: String(id) })
    return document ? [toList(document)] : []
  }

  async #lists() {
    const lists: ReturnType<typeof toList>[] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await this.#deps.store.documents.list(collection, { after, limit: pageSize })
      for (const document of page) lists.push(toList(document))
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
    return lists
  }

  /** Does it again until the store does not refuse it any more. */
  async #logged(schedule: number, work: () => Promise<void>, isFirst = true): Promise<void> {
    try {
      await work()
    } catch (error) {
      const text = `${schedule || 'all'}: how it went could not be recorded, tried again`
      if (isFirst) this.#deps.log.error('schedules', text, error)
      this.#later(() => void this.#logged(schedule, work, false))
    }
  }
}

const hasAny = (counts: Record<string, number>) => Object.values(counts).some(count => count > 0)

function toList({ key, value }: { key: string; value: string }): FiringList & { id: number } {
  const list: FiringList = JSON.parse(value)
  return { ...list, id: Number(key) }
}
