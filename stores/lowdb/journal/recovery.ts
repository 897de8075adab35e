// Loads a snapshot and the journals that follow it into tables.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Change, Row } from '../../memory/tables/row-types.ts'
import { resetUnreferenced, type Tables } from '../../memory/tables/tables.ts'
import { journalFile, type StoreFiles, snapshotFile } from '../files.ts'
import type { JournalPosition } from './journal-file.ts'
import { readHeader, scan } from './record-format.ts'

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
  /** Of the newest journal, -1 when there is none. */
  generation: number
  /** Bytes of the complete records of the newest journal. */
  size: number
  /** The sum of the last complete record of the newest journal. */
  sum: number
  /** Bytes of the snapshot. */
  snapshot: number
  /** Bytes of the journals after the snapshot. */
  journals: number
  end?: LoadEnd
}

interface LoadRange {
  /** The snapshot to start from, by default the newest; 0 is the empty store before the first snapshot. */
  from?: number
  /** Up to where the journal was on disk at least. */
  lastPosition: JournalPosition | undefined
}

export async function load(path: string, files: StoreFiles, tables: Tables, range: LoadRange): Promise<LoadedFiles> {
  const { from = files.snapshots.at(-1) ?? 0, lastPosition } = range
  const snapshot = from === 0 ? 0 : await loadSnapshot(snapshotFile(path, from), tables)
  const loaded: LoadedFiles = { generation: -1, size: 0, sum: 0, snapshot, journals: 0 }
  const isNew = from === 0 && files.journals.length === 0
  const newest = isNew ? -1 : Math.max(from, ...files.journals.slice(-1))
  for (let generation = from; generation <= newest && isUsable(loaded); generation += 1) {
    if (files.journals.includes(generation)) await loadJournal(path, generation, tables, loaded)
    else loaded.end = { file: journalFile(path, generation), at: 0, bytes: 0, torn: false, problem: 'is missing' }
  }
  if (lastPosition && isUsable(loaded)) loaded.end = findMissingEnd(path, loaded, lastPosition) ?? loaded.end
  resetUnreferenced(tables)
  return loaded
}

const isUsable = ({ end }: LoadedFiles) => !end || end.torn

async function loadJournal(path: string, generation: number, tables: Tables, loaded: LoadedFiles): Promise<void> {
  const file = journalFile(path, generation)
  const bytes = await readFile(file)
  if (loaded.end && bytes.length > 0) {
    loaded.end.torn = false
    return
  }
  const header = readHeader(bytes, file)
  if (header?.file !== basename(file)) {
    const problem = bytes.length === 0 ? 'ends too early' : 'is damaged'
    loaded.end = { file, at: 0, bytes: bytes.length, torn: false, problem }
    return
  }
  if (loaded.generation >= 0 && header.after !== loaded.sum) {
    const previous = journalFile(path, loaded.generation)
    loaded.end = { file: previous, at: loaded.size, bytes: 0, torn: false, problem: 'ends too early' }
    return
  }
  const { size, sum, damage } = scan(bytes, json => apply(tables, JSON.parse(json), file))
  if (damage) loaded.end = { file, ...damage, bytes: bytes.length - size, problem: 'is damaged' }
  Object.assign(loaded, { generation, size, sum, journals: loaded.journals + size })
}

/** The end that is missing although it was on disk; undefined when nothing is missing. */
function findMissingEnd(path: string, { generation, size }: LoadedFiles, last: JournalPosition): LoadEnd | undefined {
  const file = journalFile(path, last.generation)
  if (last.generation > generation) return { file, at: 0, bytes: last.size, torn: false, problem: 'is missing' }
  if (last.generation < generation || last.size <= size) return undefined
  return { file, at: size, bytes: last.size - size, torn: false, problem: 'ends too early' }
}

/** Resolves to the size of the file in bytes. */
export async function loadSnapshot(file: string, tables: Tables): Promise<number> {
  const bytes = await readFile(file)
  const header = readHeader(bytes, file)
  if (header && header.file !== basename(file)) throw new DamagedError({ file, at: 0, problem: 'is damaged' })
  let expected: number | undefined
  let count = 0
  const { damage } = scan(bytes, json => {
    const record: Change[] | { rows: number } = JSON.parse(json)
    if (Array.isArray(record)) count += apply(tables, record, file)
    else expected = record.rows
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
