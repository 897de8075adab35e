// Asks views so that one that throws, hangs or is asked too often harms nobody else, and remembers how that went.

import type { LoadedView } from '../contract/loaded-module.ts'
import { refuse } from '../contract/refusal.ts'
import type { Refusal, ViewAnswer } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import { type ModuleRuns, measureBusyTime } from '../modules/module-runs.ts'
import { withTimeout } from '../system/timeout.ts'
import { WrongData } from './view-data.ts'

/** Questions to one view that it may leave open: one that never answers would keep them all. */
const mostOpen = 20

interface Asked {
  open: number
  /** Why it could not answer when it was asked last. */
  problem?: string
}

export class AskedViews {
  readonly #log: Log
  readonly #runs: Pick<ModuleRuns, 'add'>
  readonly #milliseconds: number
  readonly #asked = new WeakMap<LoadedView, Asked>()

  /** `milliseconds`: of one question. */
  constructor(log: Log, runs: Pick<ModuleRuns, 'add'>, milliseconds = 5000) {
    this.#log = log
    this.#runs = runs
    this.#milliseconds = milliseconds
  }

  problemOf(loaded: LoadedView): string | undefined {
    return this.#asked.get(loaded)?.problem
  }

  /** `answer` calls the function of the view. */
  async ask(loaded: LoadedView, answer: () => Promise<ViewAnswer>): Promise<ViewAnswer | Refusal> {
    const asked = this.#asked.get(loaded) ?? { open: 0 }
    this.#asked.set(loaded, asked)
    if (asked.open >= mostOpen)
      return refuse(`view ${loaded.name}: expected at most ${mostOpen} questions without an answer, got more`, 429)
    asked.open += 1
    const busyTime = measureBusyTime()
    const answering = answer().finally(() => {
      asked.open -= 1
    })
    try {
      const result = await withTimeout(answering, this.#milliseconds, this.#tooLate())
      delete asked.problem
      this.#runs.add(loaded.name, 'success', busyTime())
      return result
    } catch (error) {
      this.#report(loaded, asked, error)
      this.#runs.add(loaded.name, 'failure', busyTime())
      return refuse(`view ${loaded.name}: ${asked.problem}`, 500)
    }
  }

  /** One line until the reason is another one: consoles ask all the time. */
  #report({ file, version }: LoadedView, asked: Asked, error: unknown): void {
    const before = asked.problem
    asked.problem = message(error).split('\n', 1)[0] ?? ''
    if (asked.problem === before) return
    const isOwnWords = error instanceof WrongData || asked.problem === this.#tooLate()
    const line = `${file}: version ${version}, ${asked.problem}`
    if (isOwnWords) this.#log.warn('view', line)
    else this.#log.error('view', `${file}: version ${version} failed`, error)
  }

  #tooLate(): string {
    return `no answer after ${this.#milliseconds / 1000} s`
  }
}
