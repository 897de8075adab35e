// Finds rooms and repositories by their names in lists of computers, and writes these names in place of ids.
import type { Computer, New, Store } from '../../../stores/store.ts'
import type { ListedComputer, References } from './columns.ts'

export interface RecordNames {
  /** The id, or the reason why no record, or not one, has this name. Digits are an id. */
  find(key: keyof References, text: string): number | string
  /** The name of a record, which `find` finds on every server that has one of this name. */
  nameOf(key: keyof References, id: number): string
  /** The record as lists have it. */
  list(computer: New<Computer>): ListedComputer
}

/** Reads the names as they are now. */
export async function readRecordNames(store: Store): Promise<RecordNames> {
  const [rooms, repositories] = [new NameTable('room'), new NameTable('repository')]
  for (const { name: center, scope } of await store.scopes()) {
    for (const { id, name } of scope) {
      rooms.add(id, `${escapeSlash(center)}/${escapeSlash(name)}`, [`${center}/${name}`, name])
    }
  }
  for (const { id, name } of await store.repositories.list()) repositories.add(id, name)
  const tables = { room: rooms, repo_id: repositories }
  return {
    find(key, text) {
      const result = tables[key].find(text)
      return typeof result === 'number' ? result : `${key}: ${result}`
    },
    nameOf: (key, id) => tables[key].nameOf(id),
    list({ place, ...computer }) {
      const names = { room: rooms.nameOf(computer.room), repo_id: repositories.nameOf(computer.repo_id) }
      return { ...computer, ...names, row: place?.row ?? 0, column: place?.column ?? 0 }
    },
  }
}

/** Without it, `a/b/c` could be room `b/c` of center `a`, or room `c` of center `a/b`. */
const escapeSlash = (name: string) => name.replaceAll(/[\\/]/g, '\\$&')

/** Ids have fewer digits than numbers lose precision with. */
const isId = (text: string) => /^\d{1,15}$/.test(text)

/** Candidates that a reason lists. */
const mostCandidates = 5

class NameTable {
  readonly #noun: string
  readonly #names = new Map<number, string>()
  readonly #ids = new Map<string, number>()
  readonly #idsOfOthers = new Map<string, Set<number>>()

  constructor(noun: string) {
    this.#noun = noun
  }

  /** `name` is unique; `others` may be those of several records. */
  add(id: number, name: string, others: string[] = []): void {
    this.#names.set(id, name)
    this.#ids.set(name, id)
    for (const text of others) this.#idsOfOthers.set(text, (this.#idsOfOthers.get(text) ?? new Set()).add(id))
  }

  find(text: string): number | string {
    if (isId(text)) return this.#names.has(Number(text)) ? Number(text) : `there is no ${this.#noun} ${Number(text)}`
    const unique = this.#ids.get(text)
    if (unique !== undefined) return unique
    const [id, ...others] = this.#idsOfOthers.get(text) ?? []
    const got = JSON.stringify(text.slice(0, 80))
    if (id === undefined) return `there is no ${this.#noun} ${got}`
    if (others.length === 0) return id
    const candidates = [id, ...others].slice(0, mostCandidates).map(each => this.nameOf(each))
    return `expected one of ${candidates.join(', ')}, got ${got}`
  }

  /** The id itself where the name would be taken for an id, or where the record was deleted meanwhile. */
  nameOf(id: number): string {
    const name = this.#names.get(id) ?? ''
    return name === '' || isId(name) ? String(id) : name
  }
}
