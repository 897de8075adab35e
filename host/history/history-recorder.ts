// Records the history: every five minutes the counts of rooms, and what has changed on computers since. Of several hosts
// the leader does.
import type { Documents, Store } from '../../stores/store.ts'
import type { FeedEvent, JobsCluster } from '../cluster/cluster.ts'
import type { Options } from '../config/options.ts'
import type { FailuresService, FleetService, SessionsService } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { everySeconds } from '../system/periodic-jobs.ts'
import type { ComputerChange } from './changes.ts'
import {
  conditionOf,
  conditions,
  isLookEvent,
  isSame,
  type Look,
  lookAfter,
  lookEvents,
  lookOf,
  off,
} from './conditions.ts'
import { areSame, type Counted, countLength, type RoomCounts, tickOf } from './counts.ts'
import { day, tick } from './history-documents.ts'
import { deleteOlder, isRecorded, writeChanges, writeCounts } from './writes.ts'

export interface RecorderDeps {
  options: Pick<Options, 'limits' | 'history'>
  store: Pick<Store, 'computers'> & { documents: Documents }
  cluster: Pick<JobsCluster, 'isLeader' | 'members' | 'feed' | 'onMembersChange'>
  fleet: Pick<FleetService, 'clients'>
  sessions: Pick<SessionsService, 'list'>
  failures: Pick<FailuresService, 'list'>
  clock: Clock
  log: Log
}

type RecordedLook = Look & { id: number }

/** Milliseconds in which agents connect again after a start, or when a host has come or gone. */
const settling = 120_000

export class Recorder {
  readonly #deps: RecorderDeps
  /** By address, what was recorded last; empty when nothing may be concluded from it. */
  #known = new Map<string, RecordedLook>()
  /** Since the last count. */
  #changes: ComputerChange[] = []
  /** By their times, counts that are not stored; and the newest one. */
  readonly #counts = new Map<number, Counted>()
  #last: RoomCounts | undefined
  /** The number of the tick that was looked at last, and of the one that was counted last. */
  #tick: number
  #counted = Number.NaN
  #settled: number
  #running = Promise.resolve()
  readonly #stop: (() => void)[]

  constructor(deps: RecorderDeps) {
    const { clock, cluster } = deps
    this.#deps = deps
    this.#tick = Math.floor(clock.now() / tick)
    this.#settled = clock.now() + settling
    cluster.onMembersChange(() => {
      this.#settled = clock.now() + settling
    })
    this.#stop = [cluster.feed.on(event => this.#follow(event), lookEvents), everySeconds(1, () => this.check())]
  }

  /** Counts when five minutes of the clock have begun. */
  check(): void {
    const now = this.#deps.clock.now()
    const current = Math.floor(now / tick)
    if (current === this.#tick) return
    this.#tick = current
    // The clock may have been set back.
    this.#settled = Math.min(this.#settled, now + settling)
    if (this.#deps.cluster.isLeader() && now >= this.#settled)
      this.#running = this.#running.then(() => this.#record(current * tick))
    else this.#forget()
  }

  /** Resolves when the counts that were due are made. */
  settle(): Promise<void> {
    return this.#running
  }

  /** Resolves when all counts are stored. */
  async flush(): Promise<void> {
    this.#running = this.#running.then(() => this.#attempt(() => this.#writeCounts()))
    await this.#running
  }

  /** To be called before agents are disconnected: that they are gone then says nothing of their computers. */
  stop(): void {
    for (const stop of this.#stop) stop()
  }

  /** Resolves when all is stored. */
  async close(): Promise<void> {
    this.stop()
    await this.flush()
  }

  #forget(): void {
    this.#known.clear()
    this.#changes = []
    this.#last = undefined
    this.#counted = Number.NaN
  }

  /** Nothing of what failed is stored later: that time is a gap. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#forget()
      this.#counts.clear()
      this.#deps.log.error('history', `not stored: ${message(error)}`, error)
    }
  }

  #record(time: number): Promise<void> {
    return this.#attempt(async () => {
      const { documents } = this.#deps.store
      const days = this.#deps.options.limits.history_days
      if (days === 0) {
        this.#forget()
        if (tickOf(time) === 0) await deleteOlder(documents, time + day)
        return
      }
      const isNext = time === this.#counted + tick
      if (!isNext) {
        this.#forget()
        await this.#writeCounts()
        // The clock was set back, or another host has led until now.
        if (await isRecorded(documents, time)) return
      }
      const rooms = await this.#count(time)
      await writeChanges(documents, this.#changes.splice(0))
      await this.#keepCounts(time, { rooms, isFirst: !isNext })
      this.#counted = time
      if (!isNext || tickOf(time) === 0) await deleteOlder(documents, time - days * day)
    })
  }

  /** Looks at all computers. Each day begins with all of them, so that it can be read without those before. */
  async #count(time: number): Promise<RoomCounts> {
    const { store, fleet, sessions, failures } = this.#deps
    const [computers, failed] = await Promise.all([store.computers.list(), failures.list()])
    const failing = new Set(failed.flatMap(({ client, stopped }) => (stopped === undefined ? client : [])))
    // No event may come between these and the comparisons.
    const clients = new Map(fleet.clients().map(entry => [entry.addr, entry]))
    const users = new Map(sessions.list().map(session => [session.client, session]))
    const before = time % day === 0 ? new Map<string, RecordedLook>() : this.#known
    const counts = new Map<number, number[]>()
    this.#known = new Map()
    for (const { id, ip, room } of computers) {
      const client = clients.get(ip)
      const look = this.#allowed(client ? lookOf(client, users.get(ip)) : off)
      const known = before.get(ip)
      if (!known || known.id !== id || !isSame(known, look)) this.#changes.push({ id, time, ...look })
      this.#known.set(ip, { id, ...look })
      const ofRoom = counts.get(room) ?? new Array<number>(countLength).fill(0)
      counts.set(room, ofRoom)
      for (const at of [conditions.indexOf(conditionOf(look)), ...(failing.has(ip) ? [conditions.length] : [])])
        ofRoom[at] = (ofRoom[at] ?? 0) + 1
    }
    return counts
  }

  /** Counts that do not change are stored once an hour; with several hosts always, as the others read the store. */
  async #keepCounts(time: number, counted: Counted): Promise<void> {
    const isUnchanged = this.#last !== undefined && areSame(this.#last, counted.rooms) && tickOf(time) > 0
    this.#last = counted.rooms
    this.#counts.set(time, counted)
    if (!isUnchanged || this.#deps.cluster.members().length > 1) await this.#writeCounts()
  }

  async #writeCounts(): Promise<void> {
    await writeCounts(this.#deps.store.documents, this.#counts)
    this.#counts.clear()
  }

  #follow({ event }: FeedEvent): void {
    if (!isLookEvent(event)) return
    const before = this.#known.get(event.addr)
    if (!before) return
    const look = this.#allowed(lookAfter(before, event))
    if (isSame(before, look)) return
    this.#known.set(event.addr, { ...look, id: before.id })
    this.#changes.push({ ...look, id: before.id, time: this.#deps.clock.now() })
  }

  #allowed({ user, ...look }: Look): Look {
    return this.#deps.options.history.users && user !== undefined ? { ...look, user } : look
  }
}
