// Listeners of one kind: an error of one of them is logged, and the others are called all the same.
import type { Log } from '../log/log.ts'

export class ListenerSet<Values extends unknown[] = []> {
  readonly #listeners = new Set<(...values: Values) => void>()
  readonly #log: Log
  /** What they listen to. */
  readonly #name: string

  constructor(log: Log, name: string) {
    this.#log = log
    this.#name = name
  }

  add(listener: (...values: Values) => void): void {
    this.#listeners.add(listener)
  }

  call(...values: Values): void {
    for (const listener of this.#listeners) {
      try {
        listener(...values)
      } catch (error) {
        this.#log.error('cluster', `a listener of ${this.#name} failed`, error)
      }
    }
  }
}
