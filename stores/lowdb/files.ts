// The files of a store's folder: `snapshot.<n>` is the state at the moment when `journal.<n>` was started.
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { folderMode } from './file-modes.ts'

export interface StoreFiles {
  /** Generations, ascending. */
  snapshots: number[]
  journals: number[]
  /** Names of incomplete files that an interrupted snapshot left. */
  unfinished: string[]
}

const fileName = /^(snapshot|journal)\.(0|[1-9]\d*)(\.tmp)?$/

export const snapshotFile = (path: string, generation: number): string => join(path, `snapshot.${generation}`)
export const journalFile = (path: string, generation: number): string => join(path, `journal.${generation}`)

/** Wraps an error of the file system in an error of one line that names the folder; returns other errors unchanged. */
export function describeFileError(path: string, error: unknown): unknown {
  return error instanceof Error && 'code' in error ? new Error(`store: cannot use ${path}: ${error.message}`) : error
}

/** Ignores files with other names: they do not belong to the store. */
export async function findFiles(path: string): Promise<StoreFiles> {
  const files: StoreFiles = { snapshots: [], journals: [], unfinished: [] }
  for (const name of await readdir(path)) {
    const [, kind, number, unfinished] = fileName.exec(name) ?? []
    if (unfinished) files.unfinished.push(name)
    else if (kind === 'snapshot') files.snapshots.push(Number(number))
    else if (kind === 'journal') files.journals.push(Number(number))
  }
  files.snapshots.sort((a, b) => a - b)
  files.journals.sort((a, b) => a - b)
  return files
}

/** Rejects when the folder contains no store. */
export async function findExistingFiles(path: string): Promise<StoreFiles> {
  const files = await findFiles(path)
  if (files.snapshots.length + files.journals.length === 0) throw new Error(`store: there is no store in ${path}`)
  return files
}

/** Makes created, renamed and removed names in the folder survive a power failure. */
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
  // Not the mode of `mkdir`, which also applies to the folders above: they may contain more than the store.
  await chmod(path, folderMode)
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** A file has its name, which may be lost in a power cut. */
export class UnsyncedNameError extends Error {}

/** Gives a finished file its name; the name is on disk when this resolves. */
export async function publish(path: string, unfinished: string, name: string): Promise<void> {
  // Before the file has its name: a process may have too many open files.
  const folder = await open(path, 'r')
  try {
    await rename(unfinished, name)
    await folder.sync().catch(error => {
      throw new UnsyncedNameError(`${name}: ${error.message}`, { cause: error })
    })
  } finally {
    // Nothing was written to it.
    await folder.close().catch(() => {})
  }
}

/** Deletes everything older than the previous snapshot, which repair needs to roll forward from. */
export async function deleteOldFiles(path: string): Promise<void> {
  const { snapshots, journals } = await findFiles(path)
  const previous = snapshots.at(-2) ?? 0
  const old = [
    ...snapshots.filter(generation => generation < previous).map(generation => snapshotFile(path, generation)),
    ...journals.filter(generation => generation < previous).map(generation => journalFile(path, generation)),
  ]
  for (const name of old) await rm(name)
}
