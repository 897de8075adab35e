// Hands events to the hooks that name them, and has the store keep those that it can keep.
import type { JobsCluster } from '../cluster/cluster.ts'
import type { FailureLog } from '../cluster/failure-log.ts'
import type { Clock } from '../system/clock.ts'
import type { FleetEvent } from '../system/events.ts'
import { inBackground } from './attempt.ts'
import { isStoredType } from './hook-events.ts'
import type { HookRunner } from './hook-runner.ts'
import type { HookStates } from './hook-states.ts'
import type { StoredFeed } from './stored-feed.ts'

export interface HookInputsDeps {
  cluster: JobsCluster
  clock: Clock
  failures: FailureLog
  feed: StoredFeed
  states: HookStates
  runners: ReadonlyMap<string, HookRunner>
  runsHere(runner: HookRunner): boolean
}

/** Stored events that every hook has handled are deleted so often, while there are new ones. */
const trimMilliseconds = 60_000

export class HookInputs {
  readonly #deps: HookInputsDeps
  #types = ''
  #unsubscribe = () => {}
  #byType = new Map<string, HookRunner[]>()
  #trimmed = Number.NEGATIVE_INFINITY
  /** Whether the store may still have events that no hook will need. */
  #mayHaveMore = true

  constructor(deps: HookInputsDeps) {
    this.#deps = deps
  }

  /** The hooks, or what they name, have changed. */
  update(): void {
    const { runners, feed, cluster } = this.#deps
    this.#byType = new Map()
    for (const runner of runners.values()) {
      for (const type of runner.position.types) {
        const others = this.#byType.get(type) ?? []
        this.#byType.set(type, [...others, runner])
      }
    }
    const types = [...this.#byType.keys()].sort()
    if (types.join() === this.#types) return
    this.#types = types.join()
    this.#unsubscribe()
    this.#unsubscribe = () => {}
    feed.record(types.filter(isStoredType))
    this.#mayHaveMore = true
    this.#trimmed = Number.NEGATIVE_INFINITY
    if (types.length === 0) return this.#trimSometimes()
    // `as`: hooks name types of events only.
    const named = types as FleetEvent['type'][]
    this.#unsubscribe = cluster.feed.on(({ event, time, host }) => this.#add(event, time, host), named)
  }

  /** Other hosts may have stored events. */
  wake(): void {
    for (const { position } of this.#deps.runners.values()) position.readStored()
    this.#trimSometimes()
  }

  close(): void {
    this.#unsubscribe()
  }

  #add(event: FleetEvent, time: number, host: string): void {
    const { clock, runsHere } = this.#deps
    const runners = this.#byType.get(event.type) ?? []
    if (isStoredType(event.type)) {
      for (const { position } of runners) position.readStored()
      return this.#trimSometimes()
    }
    const waiting = { time: time === 0 ? clock.now() : time, event, ...(host !== '' && { host }) }
    for (const runner of runners) if (runsHere(runner)) runner.add(waiting)
  }

  #trimSometimes(): void {
    const { clock, cluster, failures } = this.#deps
    const now = clock.now()
    if (!this.#mayHaveMore || now - this.#trimmed < trimMilliseconds || !cluster.isLeader()) return
    this.#trimmed = now
    inBackground(failures, () => this.#trim())
  }

  async #trim(): Promise<void> {
    const { runners, states, feed } = this.#deps
    const types = this.#types
    for (const { position } of runners.values()) await position.saveCursor()
    const newest = await feed.refresh()
    const readers = [...(await states.list()).values()].filter(({ on }) => on?.some(isStoredType))
    await feed.trim(Math.min(newest, ...readers.map(({ cursor }) => cursor)))
    if (types === this.#types && readers.length === 0) this.#mayHaveMore = types.split(',').some(isStoredType)
  }
}
