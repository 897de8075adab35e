// Backups: dumps the store row by row, and loads a dump in one step.
import { codecOf, isRecordName } from '../records/all-records.ts'
import { collectionOrder } from '../rules/collection-order.ts'
import type { Collections, Entry, Part, Store } from '../store.ts'
import { putChunkParts, toStoredPart } from './job-parts.ts'
import { type Outputs, readTexts, toPart } from './outputs.ts'
import { internStrings, textsOf, toHardwareItems, toHardwareTexts, toSoftware, toSoftwareTexts } from './profiles.ts'
import { decodeChunk } from './tables/part-columns.ts'
import { chunkIdOf, jobIdOf, maxParts, partIndexOf } from './tables/part-ids.ts'
import type { Profile, Row, Rows, StoredPart } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import { type StoreContext, Transaction } from './tables/transaction.ts'

const replaced = [...collectionOrder, 'losses'] as const

export function backup({ tables, outputs, mutate }: StoreContext): Store['backup'] {
  return {
    async isEmpty() {
      return collectionOrder.every(name => tables.all[name].last === (name === 'repositories' ? 1 : 0))
    },
    dump: () => generateEntries(capture(tables), outputs),
    async load(dump) {
      const release = outputs.hold()
      try {
        const { entries, chunks } = await receiveDump(dump, tables, outputs)
        await mutate(transaction => {
          tables.collections.forget()
          for (const name of replaced) for (const { id } of tables.all[name].all()) transaction.delete(name, id)
          for (const entry of entries) putEntry(tables, transaction, entry)
          for (const [chunk, parts] of chunks) putChunkParts(tables, transaction, chunk, parts, parts.length)
          deleteUnusedNames(tables, transaction)
        })
      } finally {
        release()
      }
    },
  }
}

function deleteUnusedNames({ all, references }: Tables, transaction: Transaction): void {
  for (const table of ['systems', 'filesystems'] as const) {
    for (const { id } of all[table].all()) if (!references[table].has(id)) transaction.delete(table, id)
  }
}

/** Rows are replaced, never changed: the lists stay as they are while the dump is read. */
function capture({ all }: Tables) {
  return {
    lists: collectionOrder.map(name => {
      const rows: Rows[Exclude<keyof Collections, 'events'>][] = name === 'events' ? [] : [...all[name].all()]
      return { name, last: all[name].last, rows }
    }),
    strings: new Map([...all.strings.all()].map(({ id, name }) => [id, name])),
  }
}

async function* generateEntries(
  { lists, strings }: ReturnType<typeof capture>,
  outputs: Outputs,
): AsyncGenerator<Entry> {
  for (const { name, last, rows } of lists) {
    if (name !== 'parts' && last > 0) yield [name, last]
    for (const row of rows) {
      if ('list' in row) yield [name, expandProfile(name, row, strings)]
      else if ('rows' in row) yield [name, { id: row.id, rows: row.rows.map(partition => ({ ...partition })) }]
      else if ('states' in row) yield await toEntry(row, decodeChunk(row), outputs)
      else if ('client' in row) yield await toEntry(row, [row], outputs)
      else yield [name, isRecordName(name) ? codecOf(name).read(row) : { ...row }]
    }
  }
}

/** Reads the outputs of one row at a time, so that they are never all in memory. */
async function toEntry(row: Row, parts: StoredPart[], outputs: Outputs): Promise<Entry> {
  const texts = await readTexts(outputs, parts, at => row.id + at)
  return [
    'parts',
    { id: jobIdOf(row), from: partIndexOf(row), parts: parts.map((part, at) => toPart(part, texts[at])) },
  ]
}

function expandProfile(name: keyof Collections, { id, list }: Profile, strings: Map<number, string>) {
  const texts = textsOf(list, string => strings.get(string))
  return name === 'software' ? { id, ...toSoftware(texts) } : { id, items: toHardwareItems(texts) }
}

export function putEntry(tables: Tables, transaction: Transaction, [name, row]: Entry): void {
  if (!collectionOrder.includes(name)) throw new Error(`store: backup: expected a known collection, got ${name}`)
  // Deleting an id without a row records the id as assigned.
  if (typeof row === 'number') transaction.delete(name, row)
  else if ('parts' in row) return
  else if ('items' in row) {
    transaction.put('hardware', { id: row.id, list: internStrings(tables, transaction, toHardwareTexts(row.items)) })
  } else if ('programs' in row) {
    transaction.put('software', { id: row.id, list: internStrings(tables, transaction, toSoftwareTexts(row)) })
  } else transaction.put(name, isRecordName(name) ? codecOf(name).store(row) : row)
}

/** Characters of outputs that are written together. */
const writeCharacters = 1 << 20

interface ReceivedDump {
  /** Without the parts of jobs. */
  entries: Entry[]
  /** The parts of each chunk by its id: a dump may split the parts of a job at any index. */
  chunks: Map<number, StoredPart[]>
}

/** Outputs that are written already stay without references when it rejects, until their segment is deleted. */
async function receiveDump(dump: AsyncIterable<Entry>, tables: Tables, outputs: Outputs): Promise<ReceivedDump> {
  const received: ReceivedDump = { entries: [], chunks: new Map() }
  // For the outputs only: they are stored before the transaction whose rows refer to them.
  let batch = new Transaction(tables, outputs)
  let characters = 0
  try {
    for await (const entry of dump) {
      const [, row] = entry
      if (typeof row === 'number' || !('parts' in row)) {
        received.entries.push(entry)
        continue
      }
      for (const [at, part] of row.parts.entries()) {
        addPart(received, batch, row.id * maxParts + row.from + at, part)
        characters += part.output.length
      }
      if (characters <= writeCharacters) continue
      await outputs.write(batch.outputs)
      batch = new Transaction(tables, outputs)
      characters = 0
    }
    await outputs.write(batch.outputs)
    return received
  } catch (error) {
    batch.rollback()
    throw error
  }
}

/** `id` is that of the part's row. */
function addPart({ chunks }: ReceivedDump, batch: Transaction, id: number, part: Part): void {
  const index = partIndexOf({ id })
  const chunk = chunkIdOf((id - index) / maxParts, index)
  const parts = chunks.get(chunk) ?? []
  parts[id - chunk] = toStoredPart(batch, id, part)
  chunks.set(chunk, parts)
}
