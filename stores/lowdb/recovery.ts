// Reads a snapshot and the journals that follow it.
import { readFile } from 'node:fs/promises'
import type { Change, Row } from '../memory/tables/row-types.ts'
import { settle, type Tables } from '../memory/tables/tables.ts'
import { type Found, journalFile, snapshotFile } from './files.ts'
import { format, scan } from './record-format.ts'

/** Where reading ended before everything was read. */
export interface End {
  file: string
  at: number
  bytes: number
  /** Only an unfinished record at the very end. */
  torn: boolean
  what: 'is damaged' | 'is missing' | 'ends too early'
}

/** A file is not what was written. */
export class Damaged extends Error {
  constructor({ file, at, what }: Pick<End, 'file' | 'at' | 'what'>) {
    super(`store: ${file} ${what} at byte ${at}; \`npm run store -- repair\` saves what can be saved`)
  }
}

export interface Loaded {
  /** The newest journal. */
  generation: number
  /** Whole bytes of the newest journal. */
  size: number
  /** Bytes of the snapshot, and of the journals after it. */
  snapshot: number
  journals: number
  end?: End
}

/** From the newest snapshot, or the given one; 0 is the empty store before the first. */
export async function load(
  path: string,
  found: Found,
  tables: Tables,
  from = found.snapshots.at(-1) ?? 0,
): Promise<Loaded> {
  const snapshot = from === 0 ? 0 : await loadSnapshot(snapshotFile(path, from), tables)
  const loaded: Loaded = { generation: from, size: 0, snapshot, journals: 0 }
  const isNew = from === 0 && found.journals.length === 0
  const newest = isNew ? -1 : Math.max(from, ...found.journals.slice(-1))
  for (let generation = from; generation <= newest; generation += 1) {
    await loadJournal(generation)
    if (loaded.end && !loaded.end.torn) break
  }
  settle(tables)
  return loaded

  async function loadJournal(generation: number): Promise<void> {
    const file = journalFile(path, generation)
    if (!found.journals.includes(generation)) {
      loaded.end = { file, at: 0, bytes: 0, torn: false, what: 'is missing' }
      return
    }
    const bytes = await readFile(file)
    if (loaded.end && bytes.length > 0) {
      loaded.end.torn = false
      return
    }
    const damage = scan(bytes, json => play(tables, JSON.parse(json), file))
    if (damage) loaded.end = { file, ...damage, bytes: bytes.length - damage.at, what: 'is damaged' }
    loaded.generation = generation
    loaded.size = damage?.at ?? bytes.length
    loaded.journals += loaded.size
  }
}

/** Gives the file's bytes. */
export async function loadSnapshot(file: string, tables: Tables): Promise<number> {
  const bytes = await readFile(file)
  let expected: number | undefined
  let count = 0
  const damage = scan(bytes, json => {
    const record: Change[] | { format?: number; rows?: number } = JSON.parse(json)
    if (Array.isArray(record)) count += play(tables, record, file)
    else if (record.format === undefined) expected = record.rows
    else if (record.format !== format)
      throw new Error(`store: ${file} has format ${record.format}, this needs ${format}`)
  })
  if (damage) throw new Damaged({ file, at: damage.at, what: 'is damaged' })
  if (expected !== count) throw new Damaged({ file, at: bytes.length, what: 'ends too early' })
  return bytes.length
}

/** Gives the number of rows put. */
function play({ all }: Tables, changes: readonly Change[], file: string): number {
  let count = 0
  for (const [name, what] of changes) {
    const table: { put(row: Row): unknown; delete(id: number): unknown } | undefined = all[name]
    if (!table) throw new Error(`store: ${file} holds ${name}, which this version does not know`)
    if (typeof what === 'number') table.delete(what)
    else table.put(what)
    if (typeof what !== 'number') count += 1
  }
  return count
}
