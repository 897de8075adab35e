// Loads a snapshot and the journals that follow it into tables.
import { readFile } from 'node:fs/promises'
import type { Change, Row } from '../memory/tables/row-types.ts'
import { resetUnreferenced, type Tables } from '../memory/tables/tables.ts'
import { journalFile, type StoreFiles, snapshotFile } from './files.ts'
import { format, scan } from './record-format.ts'

/** Where loading stopped before everything was read. */
export interface LoadEnd {
  file: string
  at: number
  bytes: number
  /** Only an incomplete record at the very end. */
  torn: boolean
  problem: 'is damaged' | 'is missing' | 'ends too early'
}

/** A file does not contain what was written to it. */
export class DamagedError extends Error {
  constructor({ file, at, problem }: Pick<LoadEnd, 'file' | 'at' | 'problem'>) {
    super(`store: ${file} ${problem} at byte ${at}; \`npm run store -- repair\` recovers what it can`)
  }
}

export interface LoadedFiles {
  /** Of the newest journal. */
  generation: number
  /** Bytes of the complete records of the newest journal. */
  size: number
  /** Bytes of the snapshot. */
  snapshot: number
  /** Bytes of the journals after the snapshot. */
  journals: number
  end?: LoadEnd
}

/** Starts from snapshot `from`, by default the newest; 0 is the empty store before the first snapshot. */
export async function load(
  path: string,
  files: StoreFiles,
  tables: Tables,
  from = files.snapshots.at(-1) ?? 0,
): Promise<LoadedFiles> {
  const snapshot = from === 0 ? 0 : await loadSnapshot(snapshotFile(path, from), tables)
  const loaded: LoadedFiles = { generation: from, size: 0, snapshot, journals: 0 }
  const isNew = from === 0 && files.journals.length === 0
  const newest = isNew ? -1 : Math.max(from, ...files.journals.slice(-1))
  for (let generation = from; generation <= newest; generation += 1) {
    await loadJournal(generation)
    if (loaded.end && !loaded.end.torn) break
  }
  resetUnreferenced(tables)
  return loaded

  async function loadJournal(generation: number): Promise<void> {
    const file = journalFile(path, generation)
    if (!files.journals.includes(generation)) {
      loaded.end = { file, at: 0, bytes: 0, torn: false, problem: 'is missing' }
      return
    }
    const bytes = await readFile(file)
    if (loaded.end && bytes.length > 0) {
      loaded.end.torn = false
      return
    }
    const damage = scan(bytes, json => apply(tables, JSON.parse(json), file))
    if (damage) loaded.end = { file, ...damage, bytes: bytes.length - damage.at, problem: 'is damaged' }
    loaded.generation = generation
    loaded.size = damage?.at ?? bytes.length
    loaded.journals += loaded.size
  }
}

/** Resolves to the size of the file in bytes. */
export async function loadSnapshot(file: string, tables: Tables): Promise<number> {
  const bytes = await readFile(file)
  let expected: number | undefined
  let count = 0
  const damage = scan(bytes, json => {
    const record: Change[] | { format?: number; rows?: number } = JSON.parse(json)
    if (Array.isArray(record)) count += apply(tables, record, file)
    else if (record.format === undefined) expected = record.rows
    else if (record.format !== format) {
      throw new Error(`store: ${file}: expected format ${format}, got ${record.format}`)
    }
  })
  if (damage) throw new DamagedError({ file, at: damage.at, problem: 'is damaged' })
  if (expected !== count) throw new DamagedError({ file, at: bytes.length, problem: 'ends too early' })
  return bytes.length
}

/** Returns the number of rows that were put. */
function apply({ all }: Tables, changes: readonly Change[], file: string): number {
  let count = 0
  for (const [name, change] of changes) {
    const table: { put(row: Row): unknown; delete(id: number): unknown } | undefined = all[name]
    if (!table) throw new Error(`store: ${file}: expected a table of this version, got ${name}`)
    if (typeof change === 'number') table.delete(change)
    else table.put(change)
    if (typeof change !== 'number') count += 1
  }
  return count
}
