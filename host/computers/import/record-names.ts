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

export async function readRecordNames(store: Store): Promise<RecordNames> {
  const rooms = (await store.scopes()).flatMap(({ name: center, scope }) =>
    scope.map(({ id, name }) => {
      const path = `${escapeSlash(center)}/${escapeSlash(name)}`
      return { id, name: path, others: [`${center}/${name}`, name] }
    }),
  )
  const tables = {
    room: createTable('room', rooms),
    repo_id: createTable('repository', await store.repositories.list()),
  }
  const nameOf: RecordNames['nameOf'] = (key, id) => tables[key].nameOf(id)
  return {
    nameOf,
    find(key, text) {
      const result = tables[key].find(text)
      return typeof result === 'number' ? result : `${key}: ${result}`
    },
    list({ place, tags = [], ...computer }) {
      const names = { room: nameOf('room', computer.room), repo_id: nameOf('repo_id', computer.repo_id) }
      return { ...computer, ...names, row: place?.row ?? 0, column: place?.column ?? 0, tags: tags.join(' ') }
    },
  }
}

/** Without it, `a/b/c` could be room `b/c` of center `a`, or room `c` of center `a/b`. */
const escapeSlash = (name: string) => name.replaceAll(/[\\/]/g, '\\$&')

/** Ids have fewer digits than numbers lose precision with. */
const isId = (text: string) => /^\d{1,15}$/.test(text)

const mostCandidates = 5

/** `name` is unique; `others` may be those of several records, and mean the one that has it as its name. */
function createTable(noun: string, records: readonly { id: number; name: string; others?: string[] }[]) {
  const names = new Map(records.map(({ id, name }) => [id, name]))
  const ids = new Map<string, number[]>()
  for (const { id, others = [] } of records) for (const text of others) ids.set(text, [...(ids.get(text) ?? []), id])
  for (const { id, name } of records) ids.set(name, [id])

  /** The id itself where the name would be taken for an id, or where the record was deleted meanwhile. */
  function nameOf(id: number): string {
    const name = names.get(id) ?? ''
    return name === '' || isId(name) ? String(id) : name
  }

  function find(text: string): number | string {
    if (isId(text)) return names.has(Number(text)) ? Number(text) : `there is no ${noun} ${Number(text)}`
    const [id, ...others] = ids.get(text) ?? []
    const got = JSON.stringify(text.slice(0, 80))
    if (id === undefined) return `there is no ${noun} ${got}`
    if (others.length === 0) return id
    const candidates = [id, ...others].slice(0, mostCandidates).map(nameOf)
    return `expected one of ${candidates.join(', ')}, got ${got}`
  }
  return { nameOf, find }
}
