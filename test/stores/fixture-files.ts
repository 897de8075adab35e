// Reads the stored fixtures.
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry } from '../../stores/store.ts'
import { newFolder } from '../harness/store-folders.ts'

export const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name)

/** The lines of a backup between its first and its last line, which describe it. */
export async function readEntries(name: string): Promise<Entry[]> {
  const lines = (await readFile(fixture(name), 'utf8')).trimEnd().split('\n')
  return lines.slice(1, -1).map(line => JSON.parse(line))
}

/** The entry as this version returns it: earlier ones did not store who asked for a job and who made a schedule. */
export function toCurrent([name, row]: Entry): Entry {
  if (typeof row === 'number') return [name, row]
  if ('origin' in row) return [name, { ...row, by: '' }]
  return [name, 'since' in row ? { ...row, by: 'admin' } : row]
}

/** Calls `work` with a copy of a fixture, which has a snapshot and the journal after it. */
export async function withFolder(name: string, work: (path: string) => Promise<void>): Promise<void> {
  const path = await newFolder()
  await cp(fixture(name), path, { recursive: true })
  await work(path).finally(() => rm(path, { recursive: true }))
}
