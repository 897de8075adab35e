// Which procedures lead to which others, or tasks to tasks: finds loops, and those that lack a step.

export class StepGraph {
  readonly #next = new Map<number, Set<number>>()
  readonly #incomplete = new Set<number>()

  /** False when the step would lead back to where it begins: then it is not added. */
  add(from: number, to: number): boolean {
    if (this.reachable(to).has(from)) return false
    this.#next.set(from, (this.#next.get(from) ?? new Set()).add(to))
    return true
  }

  setIncomplete(id: number): void {
    this.#incomplete.add(id)
  }

  /** Whether it, or one that its steps lead to, lacks a step. */
  isIncomplete(id: number): boolean {
    return [...this.reachable(id)].some(each => this.#incomplete.has(each))
  }

  /** Those that the steps of `start` lead to, and `start`. */
  reachable(start: number): Set<number> {
    const reachable = new Set([start])
    // A set may grow while it is read.
    for (const id of reachable) for (const next of this.#next.get(id) ?? []) reachable.add(next)
    return reachable
  }
}
