// Logs the first of several failures in a row, and the first success after them.
import { type Log, message } from '../log/log.ts'

export class FailureLog {
  readonly #log: Log
  readonly #texts: { where?: string; failed: string; succeeded: string }
  /** Whether another line has said why it fails. */
  readonly #isExplained: () => boolean
  #state: 'working' | 'failing' | 'logged' = 'working'

  constructor(log: Log, texts: { where?: string; failed: string; succeeded: string }, isExplained = () => false) {
    this.#log = log
    this.#texts = texts
    this.#isExplained = isExplained
  }

  get #where(): string {
    return this.#texts.where ?? 'cluster'
  }

  get isFailing(): boolean {
    return this.#state !== 'working'
  }

  failed(error: unknown): void {
    if (this.#state === 'logged') return
    this.#state = 'failing'
    if (this.#isExplained()) return
    this.#state = 'logged'
    this.#log.warn(this.#where, `${this.#texts.failed}: ${message(error)}`)
  }

  succeeded(): void {
    if (this.#state === 'logged') this.#log.info(this.#where, this.#texts.succeeded)
    this.#state = 'working'
  }
}
