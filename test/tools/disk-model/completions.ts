// Lets what was asked for end in a sequence that follows from chance alone.
import { setImmediate } from 'node:timers/promises'
import type { Chance } from '../virtual-world/chance.ts'

export class Completions {
  readonly #chance: Chance
  #waiting: (() => void)[] = []

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Returns what cancels it. */
  add(run: () => void): () => void {
    this.#waiting.push(run)
    return () => {
      this.#waiting = this.#waiting.filter(other => other !== run)
    }
  }

  wait(): Promise<void> {
    return new Promise(resolve => void this.add(resolve))
  }

  /** Lets one after the other end, while `goesOn`, or until nothing is waited for. What has not ended then never ends. */
  async run(goesOn: () => boolean): Promise<void> {
    // What continues after one has ended is done when the event loop comes here again.
    for (await setImmediate(); goesOn() && this.#waiting.length > 0; await setImmediate()) {
      const [next] = this.#waiting.splice(this.#chance.between(0, this.#waiting.length - 1), 1)
      next?.()
    }
    this.#waiting = []
  }
}
