// Judges by the beats of an event loop whether it is blocked, and whether it hangs.

/**
 * `blocked`: the loop has not beaten for that many ticks. `hanging`: nothing was done either. `responsive`: it beats again
 * after it was blocked.
 */
export type BeatChange = 'blocked' | 'hanging' | 'responsive'

/**
 * Counts ticks of its own thread and no time: while the process is stopped (SIGSTOP) or the machine suspended, neither
 * thread runs, and such a pause counts as one tick at most.
 */
export class BeatMonitor {
  #last: number | undefined
  #lastProgress: number | undefined
  #silentTicks = 0
  #idleTicks = 0
  readonly #limits: { blocked: number; hanging: number }

  /** The limits are ticks. */
  constructor(limits: { blocked: number; hanging: number }) {
    this.#limits = limits
  }

  /** To be called at each tick with the number of beats, and with that of what was done: while this grows, nothing hangs. */
  tick(beats: number, progress = 0): BeatChange | undefined {
    const { blocked, hanging } = this.#limits
    const isIdle = beats === this.#last && progress === this.#lastProgress
    this.#idleTicks = isIdle ? this.#idleTicks + 1 : 0
    this.#lastProgress = progress
    if (beats !== this.#last) {
      const wasBlocked = this.#silentTicks >= blocked
      this.#last = beats
      this.#silentTicks = 0
      return wasBlocked ? 'responsive' : undefined
    }
    this.#silentTicks += 1
    if (this.#idleTicks === hanging) return 'hanging'
    return this.#silentTicks === blocked ? 'blocked' : undefined
  }
}
