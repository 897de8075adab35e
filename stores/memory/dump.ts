// Backups: dumps the store row by row, and loads a dump in one step.

import { codecOf, isRecordName } from '../records/all-records.ts'
import { collectionOrder } from '../rules/collection-order.ts'
import type { Collections, Entry, Store } from '../store.ts'
import { putChunkParts } from './job-parts.ts'
import { type Outputs, readTexts, toPart } from './outputs.ts'
import { internStrings, textsOf, toHardwareItems, toHardwareTexts, toSoftware, toSoftwareTexts } from './profiles.ts'
import { receiveDump } from './received-dump.ts'
import { decodeChunk } from './tables/part-columns.ts'
import { jobIdOf, partIndexOf } from './tables/part-ids.ts'
import type { Profile, Row, Rows, StoredPart } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

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
          for (const name of collectionOrder) for (const { id } of tables.all[name].all()) transaction.delete(name, id)
          for (const entry of entries) put(tables, transaction, entry)
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
      const rows: Rows[keyof Collections][] = [...all[name].all()]
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

function put(tables: Tables, transaction: Transaction, [name, row]: Entry): void {
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
