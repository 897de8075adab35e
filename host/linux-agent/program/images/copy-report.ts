// Reports how far a copy is: once in a while, with its rate and the time that is left.
import type { ProgressReport } from '../../../agent-program/agent-state.ts'

/** Milliseconds between two reports. */
const period = 2000

export class CopyReport {
  readonly #onProgress: (report: ProgressReport) => void
  readonly #size: number | undefined
  readonly #started = Date.now()
  #last = 0
  #bytes = 0
  #percent = 0

  /** `size`: bytes of the image, by which the percentage is known; undefined for one that is being made. */
  constructor(onProgress: (report: ProgressReport) => void, size?: number) {
    this.#onProgress = onProgress
    this.#size = size
  }

  /** Bytes of the image that were sent or have come. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#size !== undefined) this.#percent = Math.min(100, (100 * this.#bytes) / Math.max(1, this.#size))
    this.#report()
  }

  set percent(percent: number) {
    this.#percent = percent
    this.#report()
  }

  get bytes(): number {
    return this.#bytes
  }

  #report(): void {
    const now = Date.now()
    if (now - this.#last < period) return
    this.#last = now
    const seconds = Math.max(1, (now - this.#started) / 1000)
    const percent = this.#percent
    const remaining = percent > 0 ? { remaining: Math.round((seconds * (100 - percent)) / percent) } : {}
    const size = this.#size === undefined ? {} : { size: this.#size }
    const rate = Math.round(this.#bytes / seconds)
    this.#onProgress({ percent, bytes: this.#bytes, ...size, rate, ...remaining })
  }
}
