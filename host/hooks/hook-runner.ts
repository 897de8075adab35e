// Runs one hook, one run at a time: after events, or when it is due. The queue is the hook's, whichever version of its file runs.
import type { LoadedHook } from '../contract/loaded-module.ts'
import { type Log, message } from '../log/log.ts'
import { eventsOf } from './hook-events.ts'
import { HookPosition, type PositionDeps } from './hook-position.ts'
import type { WaitingEvent } from './hook-queue.ts'
import { type HookRunDeps, runHook } from './hook-run.ts'
import type { Pause } from './hook-states.ts'
import { type HookTimers, isTimer, nextRun, resumedRun } from './hook-timers.ts'

export interface RunnerDeps extends HookRunDeps, PositionDeps {
  log: Log
  timers: HookTimers
  /** Whether this host may still run what it runs alone. */
  isMember(): boolean
  /** After too many failures, or undefined for a version that may mend them. */
  setPause(key: string, pause: Pause | undefined): void
}

export type RunnerState = 'running' | 'waiting' | 'paused' | 'failing'

/** Events that come within this time are one batch. */
const gatherMilliseconds = 10

/** Until a run that has failed is repeated; the last one for all further failures. */
const repeatSeconds = [1, 5, 30, 120, 300]
const mostFailures = 10

export class HookRunner {
  readonly position: HookPosition
  /** Of what the store keeps of it. */
  readonly key: string
  readonly #deps: RunnerDeps
  #loaded: LoadedHook | undefined
  #pause: Pause | undefined
  #isDue = false
  #running: Promise<void> | undefined
  #failures = 0
  #gathering: NodeJS.Timeout | undefined
  #cancelRepeat: (() => void) | undefined
  #isStopping = false

  constructor(key: string, deps: RunnerDeps) {
    this.key = key
    this.#deps = deps
    this.position = new HookPosition(key, deps, () => this.#wake())
  }

  get loaded(): LoadedHook | undefined {
    return this.#loaded
  }

  get state(): RunnerState {
    if (this.#pause) return 'paused'
    if (this.#running || this.#gathering) return 'running'
    return this.#failures > 0 ? 'failing' : 'waiting'
  }

  /** Puts a version in service; one that differs may mend what has failed. */
  load(loaded: LoadedHook): void {
    if (this.#loaded === loaded) return
    const isFirst = this.#loaded === undefined
    this.#loaded = loaded
    this.position.declare(loaded)
    if (!isFirst) this.#forgetFailures()
    if (this.position.isOpen) this.#begin()
    this.#wake()
  }

  setPause(pause: Pause | undefined): void {
    if (this.#pause && !pause) this.#forgetFailures()
    this.#pause = pause
    this.#wake()
  }

  /** Begins to run it here: reads how far it has come. A store fault is tried again. */
  async open(): Promise<void> {
    if (this.position.isOpen) return
    await this.position.open()
    if (this.position.isOpen) this.#begin()
    this.#wake()
  }

  add(event: WaitingEvent): void {
    this.position.queue.add(event)
    this.#wake()
  }

  /** Of `every` and `cron`: runs it as soon as it can; `runAt`: at that time, unless it runs before. */
  runNow(): void {
    this.#isDue = true
    this.#wake()
  }

  runAt(time: number): void {
    if (this.position.isOpen && time < (this.position.due ?? Number.POSITIVE_INFINITY)) this.#setDue(time)
  }

  /** Another host runs it from now on, or its file is gone. */
  release(): void {
    this.#cancelAll()
    this.#isDue = false
    this.position.release()
  }

  /** Starts no run any more; resolves when the present one has ended, or after `milliseconds`. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopping = true
    this.#cancelAll()
    if (!this.#running) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, milliseconds)
    })
    await Promise.race([this.#running, late])
    clearTimeout(timer)
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    // A run that was cut is done after the start.
    const isCut = this.#running !== undefined && this.#loaded !== undefined && isTimer(this.#loaded)
    if (this.#isDue || isCut) this.position.due = this.#deps.clock.now()
    await this.position.close()
  }

  #cancelAll(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    this.#cancelRepeat?.()
    this.#cancelRepeat = undefined
    this.#deps.timers.delete(this.key)
  }

  #forgetFailures(): void {
    this.#failures = 0
    this.#cancelRepeat?.()
    this.#cancelRepeat = undefined
  }

  /** This version runs here from now on: one that was saved after the failures resumes the hook. */
  #begin(): void {
    const failed = this.#pause?.digest
    if (failed !== undefined && this.#loaded && this.#loaded.digest !== failed) this.#deps.setPause(this.key, undefined)
    this.#setTimer()
  }

  #setTimer(): void {
    const { clock, timers } = this.#deps
    if (!this.#loaded || !isTimer(this.#loaded)) return timers.delete(this.key)
    this.#setDue(resumedRun(this.#loaded, clock.now(), this.position.due))
  }

  #setDue(time: number | undefined): void {
    this.position.due = time
    if (time === undefined) this.#deps.timers.delete(this.key)
    else if (time <= this.#deps.clock.now()) this.runNow()
    else this.#deps.timers.set(this.key, time, () => this.runNow())
  }

  get #canRun(): boolean {
    if (this.#running || this.#cancelRepeat || this.#pause || this.#isStopping) return false
    if (!this.#loaded || !this.position.isOpen) return false
    return isTimer(this.#loaded) ? this.#isDue : this.position.hasWork
  }

  #wake(): void {
    if (this.#gathering || !this.#canRun) return
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      if (this.#canRun && this.#deps.isMember()) this.#running = this.#run()
    }, gatherMilliseconds)
  }

  async #run(): Promise<void> {
    const loaded = this.#loaded
    if (!loaded) return
    const { position } = this
    const { epoch } = position
    position.lastRun = this.#deps.clock.now()
    const events = isTimer(loaded) ? undefined : eventsOf(position.take())
    this.#isDue = false
    if (isTimer(loaded)) this.#setDue(nextRun(loaded, position.lastRun, position.due))
    try {
      await runHook(loaded, events, this.#deps)
      if (position.epoch === epoch) await this.#succeeded()
    } catch (error) {
      if (position.epoch === epoch) this.#failed(loaded, error)
    } finally {
      this.#running = undefined
      this.#wake()
    }
  }

  async #succeeded(): Promise<void> {
    this.#failures = 0
    this.position.lastError = undefined
    await this.position.handled()
  }

  #failed(loaded: LoadedHook, error: unknown): void {
    const { log, clock, setPause } = this.#deps
    this.position.lastError = message(error)
    this.#isDue = isTimer(loaded)
    // It was cut by a new version, which runs at once.
    if (loaded !== this.#loaded || this.#isStopping) return
    this.#failures += 1
    const seconds = repeatSeconds[Math.min(this.#failures, repeatSeconds.length) - 1] ?? 0
    const count = `${this.#failures} of ${mostFailures}`
    if (this.#failures >= mostFailures) {
      log.error('hook', `${loaded.file}: run failed, ${count}: paused until it is resumed or saved`, error)
      return setPause(this.key, { since: clock.now(), reason: message(error), digest: loaded.digest })
    }
    log.error('hook', `${loaded.file}: run failed, ${count}, again in ${seconds} s`, error)
    this.#cancelRepeat = clock.after(seconds * 1000, () => {
      this.#cancelRepeat = undefined
      this.#wake()
    })
  }
}
