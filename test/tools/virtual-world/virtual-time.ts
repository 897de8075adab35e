// Time that a program moves, in place of Node's clocks and timers: what would take an hour takes as long as its work.
//
// A process that dies takes its timers with it. Here several daemons live in one process, so each timer belongs to the
// life in which it was made, and is dropped with it.
import { AsyncLocalStorage } from 'node:async_hooks'

/** One start of a daemon, or the computers and callers around it. */
export interface Life {
  readonly host: string
  isDead: boolean
  /** Until then nothing of it runs, like a process that was stopped by a signal; milliseconds of virtual time. */
  pausedUntil: number
  /** Called when it has ended. */
  readonly onEnd: (() => void)[]
}

export const createLife = (host: string): Life => ({ host, isDead: false, pausedUntil: 0, onEnd: [] })

const lives = new AsyncLocalStorage<Life | undefined>()

/** Runs what the life does, or what belongs to none; everything that this starts belongs to it, too. */
export const runIn = <Result>(life: Life | undefined, work: () => Result): Result => lives.run(life, work)

export const currentLife = (): Life | undefined => lives.getStore()

/** A class, as there are many: it is made faster than closures. */
export class Immediate {
  isCancelled = false
  readonly life = currentLife()
  readonly run: () => void

  readonly #delay: (immediate: Immediate) => void

  constructor(run: () => void, delay: (immediate: Immediate) => void) {
    this.run = run
    this.#delay = delay
  }

  close(): void {
    this.isCancelled = true
  }

  ref(): this {
    return this
  }

  unref(): this {
    this.#delay(this)
    return this
  }

  hasRef(): boolean {
    return true
  }
}

/** A class, as there are many. */
class Entry {
  isCancelled = false
  readonly life = currentLife()
  at: number
  readonly order: number
  readonly run: () => void

  constructor(at: number, order: number, run: () => void) {
    this.at = at
    this.order = order
    this.run = run
  }
}

const realImmediate = setImmediate

export class VirtualTime {
  /** Milliseconds since 1970. */
  now: number
  readonly #began: number
  #order = 0
  /** A heap: the entry at index n comes before those at 2n + 1 and 2n + 2. */
  readonly #timers: Entry[] = []
  readonly #immediates: Immediate[] = []
  /** Those that do not keep Node awake: they run when something else has. */
  readonly #lazy: Immediate[] = []

  constructor(began: number) {
    this.#began = began
    this.now = began
  }

  get elapsed(): number {
    return this.now - this.#began
  }

  /** Calls `run` at that time or later, unless its life has ended by then. Returns what cancels the call. */
  at(time: number, run: () => void): () => void {
    this.#order += 1
    const entry = new Entry(Math.max(time, this.now), this.#order, run)
    this.#push(entry)
    return () => {
      entry.isCancelled = true
    }
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.at(this.now + Math.max(1, milliseconds || 1), run)
  }

  soon(run: () => void): Immediate {
    const immediate = new Immediate(run, this.#delay)
    this.#immediates.push(immediate)
    return immediate
  }

  readonly #delay = (immediate: Immediate): void => {
    const at = this.#immediates.lastIndexOf(immediate)
    if (at >= 0) this.#lazy.push(...this.#immediates.splice(at, 1))
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise(resolve => this.after(milliseconds, resolve))
  }

  /** Runs everything that is due until `isDone`, or until that much virtual time has passed: then it resolves to false. */
  async run(isDone: () => boolean, milliseconds: number): Promise<boolean> {
    const end = this.now + milliseconds
    for (;;) {
      await settle()
      if (isDone()) return true
      if (this.#runImmediates()) continue
      const [first] = this.#timers
      if (!first || first.at > end) {
        this.now = end
        return false
      }
      this.now = Math.max(this.now, first.at)
      for (const entry of this.#takeDue()) realImmediate(() => this.#runEntry(entry))
      for (const immediate of this.#lazy.splice(0)) realImmediate(() => this.#runInLife(immediate))
    }
  }

  #takeDue(): Entry[] {
    const due: Entry[] = []
    for (let [first] = this.#timers; first && first.at <= this.now; [first] = this.#timers) {
      due.push(first)
      this.#pop()
    }
    return due
  }

  #runEntry(entry: Entry): void {
    const { life } = entry
    if (entry.isCancelled || life?.isDead) return
    if (life && life.pausedUntil > this.now) this.#push(Object.assign(entry, { at: life.pausedUntil }))
    else runIn(life, entry.run)
  }

  /** As Node does: what they start runs after each of them, and immediates that they make are for the next time. */
  #runImmediates(): boolean {
    const immediates = this.#immediates.splice(0)
    for (const immediate of immediates) realImmediate(() => this.#runInLife(immediate))
    return immediates.length > 0
  }

  #runInLife({ life, run, isCancelled }: Immediate): void {
    if (isCancelled || life?.isDead) return
    if (life && life.pausedUntil > this.now) runIn(life, () => this.at(life.pausedUntil, run))
    else runIn(life, run)
  }

  #push(entry: Entry): void {
    const timers = this.#timers
    let at = timers.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = timers[above]
      if (!parent || isBefore(parent, entry)) break
      timers[at] = parent
      at = above
    }
    timers[at] = entry
  }

  #pop(): void {
    const timers = this.#timers
    const last = timers.pop()
    if (!last || timers.length === 0) return
    let at = 0
    for (;;) {
      const [left, right] = [timers[2 * at + 1], timers[2 * at + 2]]
      if (!left) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (isBefore(last, child)) break
      timers[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    timers[at] = last
  }
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Resolves when promises have run. */
const settle = () => new Promise<void>(resolve => runIn(undefined, () => realImmediate(resolve)))
