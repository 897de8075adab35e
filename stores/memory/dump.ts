// Backups: dumps the store row by row, and loads a dump in one step.
import type { Collections, Entry, Part, Store } from '../store.ts'
import { copyPart, putChunkParts } from './job-parts.ts'
import { fromJob, toJob } from './jobs.ts'
import { internStrings, textsOf, toHardwareItems, toHardwareTexts, toSoftware, toSoftwareTexts } from './profiles.ts'
import { decodeChunk } from './tables/part-columns.ts'
import { chunkIdOf, jobIdOf, partIndexOf } from './tables/part-ids.ts'
import type { Profile, Rows } from './tables/row-types.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

/** All tables except the strings, which are stored and deleted with the profiles that name them. */
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

export function backup({ tables, mutate }: StoreContext): Store['backup'] {
  return {
    async isEmpty() {
      return collections.every(name => tables.all[name].last === (name === 'repositories' ? 1 : 0))
    },
    dump: () => generateEntries(capture(tables)),
    async load(dump) {
      const entries: Entry[] = []
      for await (const entry of dump) entries.push(entry)
      await mutate(transaction => {
        for (const name of collections) for (const { id } of tables.all[name].all()) transaction.delete(name, id)
        for (const entry of entries) put(tables, transaction, entry)
        for (const [chunk, parts] of groupByChunk(entries)) {
          putChunkParts(tables, transaction, chunk, parts, parts.length)
        }
      })
    },
  }
}

/** Rows are replaced, never changed: the lists stay as they are while the dump is read. */
function capture({ all }: Tables) {
  return {
    lists: collections.map(name => {
      const rows: Rows[keyof Collections][] = [...all[name].all()]
      return { name, last: all[name].last, rows }
    }),
    strings: new Map([...all.strings.all()].map(({ id, name }) => [id, name])),
  }
}

async function* generateEntries({ lists, strings }: ReturnType<typeof capture>): AsyncGenerator<Entry> {
  for (const { name, last, rows } of lists) {
    if (name !== 'parts') yield [name, last]
    for (const row of rows) {
      if ('list' in row) yield [name, expandProfile(name, row, strings)]
      else if ('rows' in row) yield [name, { id: row.id, rows: row.rows.map(partition => ({ ...partition })) }]
      else if ('states' in row) yield ['parts', { id: jobIdOf(row), from: partIndexOf(row), parts: decodeChunk(row) }]
      else if ('client' in row) yield ['parts', { id: jobIdOf(row), from: partIndexOf(row), parts: [copyPart(row)] }]
      else if ('origin' in row) yield ['jobs', toJob(row)]
      else yield [name, structuredClone(row)]
    }
  }
}

function expandProfile(name: keyof Collections, { id, list }: Profile, strings: Map<number, string>) {
  const texts = textsOf(list, string => strings.get(string))
  return name === 'software' ? { id, ...toSoftware(texts) } : { id, items: toHardwareItems(texts) }
}

function put(tables: Tables, transaction: Transaction, [name, row]: Entry): void {
  if (!collections.includes(name)) throw new Error(`store: backup: expected a known collection, got ${name}`)
  // Deleting an id without a row records the id as assigned.
  if (typeof row === 'number') transaction.delete(name, row)
  else if ('parts' in row) return
  else if ('items' in row) {
    transaction.put('hardware', { id: row.id, list: internStrings(tables, transaction, toHardwareTexts(row.items)) })
  } else if ('origin' in row) transaction.put('jobs', fromJob(row))
  else if ('programs' in row) {
    transaction.put('software', { id: row.id, list: internStrings(tables, transaction, toSoftwareTexts(row)) })
  } else transaction.put(name, row)
}

/** The parts of each chunk: a dump may split the parts of a job at any index. */
function groupByChunk(entries: readonly Entry[]): Map<number, Part[]> {
  const chunks = new Map<number, Part[]>()
  for (const [, row] of entries) {
    if (typeof row === 'number' || !('parts' in row)) continue
    for (const [at, part] of row.parts.entries()) {
      const index = row.from + at
      const chunk = chunkIdOf(row.id, index)
      const parts = chunks.get(chunk) ?? []
      parts[index - partIndexOf({ id: chunk })] = part
      chunks.set(chunk, parts)
    }
  }
  return chunks
}
