// A queue that takes from each of its callers in turn, so that one with many items keeps no other waiting.

export class FairQueue<Item> {
  /** The caller whose turn it is next is the first. */
  readonly #waiting = new Map<string, Item[]>()

  #size = 0

  get size(): number {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  push(caller: string, item: Item): void {
    this.#size += 1
    const items = this.#waiting.get(caller)
    if (items) items.push(item)
    else this.#waiting.set(caller, [item])
  }

  shift(): Item | undefined {
    const [next] = this.#waiting
    if (!next) return undefined
    const [caller, items] = next
    const item = items.shift()
    this.#size -= 1
    this.#waiting.delete(caller)
    if (items.length > 0) this.#waiting.set(caller, items)
    return item
  }
}
