// The folder's files: `snapshot.<n>` is the state at the moment when `journal.<n>` began.
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Found {
  /** Numbers, ascending. */
  snapshots: number[]
  journals: number[]
  /** Names of files that a stopped snapshot left. */
  unfinished: string[]
}

const file = /^(snapshot|journal)\.(0|[1-9]\d*)(\.tmp)?$/

export const snapshotFile = (path: string, generation: number) => join(path, `snapshot.${generation}`)
export const journalFile = (path: string, generation: number) => join(path, `journal.${generation}`)

/** What the system says of a file or folder, as the one line for the administrator. */
export function inOneLine(path: string, error: unknown): unknown {
  return error instanceof Error && 'code' in error ? new Error(`store: cannot use ${path}: ${error.message}`) : error
}

/** Other files in the folder are somebody else's. */
export async function find(path: string): Promise<Found> {
  const found: Found = { snapshots: [], journals: [], unfinished: [] }
  for (const name of await readdir(path)) {
    const [, kind, number, unfinished] = file.exec(name) ?? []
    if (unfinished) found.unfinished.push(name)
    else if (kind === 'snapshot') found.snapshots.push(Number(number))
    else if (kind === 'journal') found.journals.push(Number(number))
  }
  found.snapshots.sort((a, b) => a - b)
  found.journals.sort((a, b) => a - b)
  return found
}

/** Makes names that were created, renamed or removed in the folder last through a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made !== dirname(first); made = dirname(made)) await syncFolder(dirname(made))
}

/**
 * Made if it is missing; its name lasts when this resolves. Each write is on disk when it returns, as with an fsync
 * after it, but with one way through the thread pool instead of two: a third more writes of a single writer.
 */
export async function openJournalFile(path: string, generation: number): Promise<FileHandle> {
  const name = journalFile(path, generation)
  const handle = await open(name, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC)
  try {
    // What a killed process wrote last was read again, but need not be on disk yet.
    await handle.datasync()
    await syncFolder(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Gives a finished file its name, for good. */
export async function publish(path: string, unfinished: string, name: string): Promise<void> {
  await rename(unfinished, name)
  await syncFolder(path)
}

/** Drops what lies before the snapshot before the newest: that one is kept, so that a repair can roll forward. */
export async function dropOld(path: string): Promise<void> {
  const { snapshots, journals } = await find(path)
  const previous = snapshots.at(-2) ?? 0
  const old = [
    ...snapshots.filter(generation => generation < previous).map(generation => snapshotFile(path, generation)),
    ...journals.filter(generation => generation < previous).map(generation => journalFile(path, generation)),
  ]
  for (const name of old) await rm(name)
}
