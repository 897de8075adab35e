// The store as a whole: dumped row by row, and loaded in one step.
import type { Collections, Entry, Part, Store } from '../store.ts'
import { fromJob, toJob } from './jobs.ts'
import { copyPart, jobOf, numberOf, putStretch, stretchOf } from './parts.ts'
import { fromItems, fromSoftware, pack, textsOf, toItems, toSoftware } from './profiles.ts'
import type { Records } from './store.ts'
import { fromPack } from './tables/part-columns.ts'
import type { Profile, Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

/** All but the strings, which come and go with the profiles that name them. */
const collections = [
  'centers',
  'rooms',
  'repositories',
  'systems',
  'filesystems',
  'hardware',
  'software',
  'images',
  'computers',
  'partitions',
  'procedures',
  'tasks',
  'errands',
  'schedules',
  'jobs',
  'parts',
] as const satisfies readonly (keyof Collections)[]

export function whole({ tables, mutate }: Records): Store['backup'] {
  return {
    async isEmpty() {
      return collections.every(name => tables.all[name].last === (name === 'repositories' ? 1 : 0))
    },
    dump: () => give(capture(tables)),
    async load(given) {
      const entries: Entry[] = []
      for await (const entry of given) entries.push(entry)
      await mutate(edit => {
        for (const name of collections) for (const { id } of tables.all[name].all()) edit.delete(name, id)
        for (const entry of entries) put(tables, edit, entry)
        for (const [stretch, parts] of gather(entries)) putStretch(tables, edit, stretch, parts, parts.length)
      })
    },
  }
}

/** Rows are replaced, never changed: lists of them stay what they are while they are given away. */
function capture({ all }: Tables) {
  return {
    lists: collections.map(name => {
      const rows: Rows[keyof Collections][] = [...all[name].all()]
      return { name, last: all[name].last, rows }
    }),
    strings: new Map([...all.strings.all()].map(({ id, name }) => [id, name])),
  }
}

async function* give({ lists, strings }: ReturnType<typeof capture>): AsyncGenerator<Entry> {
  for (const { name, last, rows } of lists) {
    if (name !== 'parts') yield [name, last]
    for (const row of rows) {
      if ('list' in row) yield [name, unfold(name, row, strings)]
      else if ('rows' in row) yield [name, { id: row.id, rows: row.rows.map(partition => ({ ...partition })) }]
      else if ('states' in row) yield ['parts', { id: jobOf(row), from: numberOf(row), parts: fromPack(row) }]
      else if ('client' in row) yield ['parts', { id: jobOf(row), from: numberOf(row), parts: [copyPart(row)] }]
      else if ('origin' in row) yield ['jobs', toJob(row)]
      else yield [name, structuredClone(row)]
    }
  }
}

function unfold(kind: string, { id, list }: Profile, strings: Map<number, string>) {
  const texts = textsOf(list, string => strings.get(string))
  return kind === 'software' ? { id, ...toSoftware(texts) } : { id, items: toItems(texts) }
}

function put(tables: Tables, edit: Edit, [name, row]: Entry): void {
  if (!collections.includes(name)) throw new Error(`store: there is no collection ${name} in this version`)
  // Deleting a row that is not there counts its id as given.
  if (typeof row === 'number') edit.delete(name, row)
  else if ('parts' in row) return
  else if ('items' in row) edit.put('hardware', { id: row.id, list: pack(tables, edit, fromItems(row.items)) })
  else if ('origin' in row) edit.put('jobs', fromJob(row))
  else if ('programs' in row) edit.put('software', { id: row.id, list: pack(tables, edit, fromSoftware(row)) })
  else edit.put(name, row)
}

/** Each stretch's parts, however a dump has cut them. */
function gather(entries: readonly Entry[]): Map<number, Part[]> {
  const stretches = new Map<number, Part[]>()
  for (const [, row] of entries) {
    if (typeof row === 'number' || !('parts' in row)) continue
    for (const [at, part] of row.parts.entries()) {
      const index = row.from + at
      const stretch = stretchOf(row.id, index)
      const parts = stretches.get(stretch) ?? []
      parts[index - numberOf({ id: stretch })] = part
      stretches.set(stretch, parts)
    }
  }
  return stretches
}
