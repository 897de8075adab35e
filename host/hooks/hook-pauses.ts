// Which hooks are paused: as the store has it, and changes that are in force before the store has them.
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import { attempt, inBackground, retryMilliseconds } from './attempt.ts'
import type { HookStates, Pause } from './hook-states.ts'

interface HookPausesDeps {
  states: HookStates
  events: Events
  clock: Clock
  log: Log
  onChange(): void
}

/** Undefined: it is not paused. */
type PauseChange = Pause | undefined

export class HookPauses {
  readonly #deps: HookPausesDeps
  readonly #readFailures: FailureLog
  readonly #saveFailures: FailureLog
  /** By the ids of the hooks. */
  #stored = new Map<string, Pause>()
  readonly #unsaved = new Map<string, PauseChange>()
  readonly #cancels = new Map<() => Promise<void>, () => void>()

  constructor(deps: HookPausesDeps) {
    this.#deps = deps
    const texts = { where: 'hooks', succeeded: 'it does again' }
    this.#readFailures = new FailureLog(deps.log, { ...texts, failed: 'the store does not say which hooks are paused' })
    this.#saveFailures = new FailureLog(deps.log, {
      ...texts,
      failed: 'the store does not keep which hooks are paused',
    })
  }

  of(id: string): PauseChange {
    return this.#unsaved.has(id) ? this.#unsaved.get(id) : this.#stored.get(id)
  }

  async load(): Promise<void> {
    this.#stored = await this.#deps.states.pauses()
  }

  /** They have been changed, here or by another host. */
  reload(): void {
    this.#try(this.#reload)
  }

  /** For all hosts, also after a restart. Rejects when the store fails. */
  async set(id: string, pause: PauseChange): Promise<void> {
    const { states, events } = this.#deps
    const unsaved = this.#unsaved.get(id)
    await (pause ? states.pause(id, pause) : states.resume(id))
    if (pause) this.#stored.set(id, pause)
    else this.#stored.delete(id)
    if (this.#unsaved.get(id) === unsaved) this.#unsaved.delete(id)
    events.emit({ type: 'hook-changed', hook: id, change: 'paused' })
  }

  /** Here at once, for all hosts when the store has it. */
  setNow(id: string, pause: PauseChange): void {
    this.#unsaved.set(id, pause)
    this.#deps.onChange()
    this.#try(this.#saveAll)
  }

  /** The hook is gone. */
  forget(id: string): void {
    this.#stored.delete(id)
    this.#unsaved.delete(id)
  }

  /** Tries a last time to store what it has not yet. */
  async close(): Promise<void> {
    if (this.#unsaved.size > 0) await attempt(this.#saveFailures, () => this.#saveUnsaved())
    for (const cancel of this.#cancels.values()) cancel()
  }

  readonly #reload = async () => {
    if (!(await attempt(this.#readFailures, () => this.load()))) return this.#retry(this.#reload)
    this.#deps.onChange()
  }

  readonly #saveAll = async () => {
    if (!(await attempt(this.#saveFailures, () => this.#saveUnsaved()))) this.#retry(this.#saveAll)
  }

  async #saveUnsaved(): Promise<void> {
    for (const [id, pause] of [...this.#unsaved]) if (this.#unsaved.get(id) === pause) await this.set(id, pause)
  }

  #try(work: () => Promise<void>): void {
    inBackground(this.#readFailures, work)
  }

  #retry(work: () => Promise<void>): void {
    this.#cancels.get(work)?.()
    this.#cancels.set(
      work,
      this.#deps.clock.after(retryMilliseconds, () => this.#try(work)),
    )
  }
}
