// Names for the statements that are used often: each connection keeps the plan of a named one, as planning takes longer than
// running it.

/** Most have a fixed text. Of those that name some columns of many, only the usual ones come so often. */
const usesWithoutName = 5

/** Each connection needs some 100 kB for a plan. */
const mostNames = 200

/** So many texts are counted before the count begins anew. */
const mostTexts = 2000

/** To be in a text that gets no name: with other values, which may be lists of thousands, another plan is the fast one. */
export const plannedEachTime = '/* planned each time */'

export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  /** Undefined for a statement that has none. */
  of(text: string): string | undefined {
    return this.#names.get(text) ?? this.#count(text)
  }

  #count(text: string): string | undefined {
    if (this.#names.size >= mostNames || text.includes(plannedEachTime)) return undefined
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses <= usesWithoutName) {
      if (this.#uses.size >= mostTexts) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    this.#uses.delete(text)
    const name = `fleet ${this.#names.size + 1}`
    this.#names.set(text, name)
    return name
  }
}
