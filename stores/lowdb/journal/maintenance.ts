// Checks the files of a stopped store, and repairs damaged ones as far as possible.
import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkIntegrity } from '../../memory/integrity.ts'
import { createTables, type Tables } from '../../memory/tables/tables.ts'
import type { Finding, StoreOptions } from '../../store.ts'
import { folderMode } from '../file-modes.ts'
import {
  describeFileError,
  findExistingFiles,
  journalFile,
  type StoreFiles,
  snapshotFile,
  syncFolder,
} from '../files.ts'
import { type FolderLock, lock } from '../lock.ts'
import { findDamagedOutputs } from '../outputs/output-reader.ts'
import { JournalFile } from './journal-file.ts'
import { scan } from './record-format.ts'
import { DamagedError, type LoadEnd, load, loadSnapshot } from './recovery.ts'
import { capture, writeSnapshot } from './snapshot.ts'

const good = (message: string): Finding => ({ ok: true, message })
const bad = (message: string): Finding => ({ ok: false, message })

/** One finding for each file, and one for each contradiction between rows. */
export function check({ path }: StoreOptions): Promise<Finding[]> {
  return whileLocked(path, async folderLock => {
    const files = await findExistingFiles(path)
    return [...(await checkFiles(path, files)), ...(await checkRows(path, files, folderLock))]
  })
}

function checkFiles(path: string, { snapshots, journals }: StoreFiles): Promise<Finding[]> {
  return Promise.all([
    ...snapshots.map(generation => checkSnapshot(snapshotFile(path, generation))),
    ...journals.map(generation => checkJournal(journalFile(path, generation))),
  ])
}

async function checkSnapshot(file: string): Promise<Finding> {
  try {
    const size = await loadSnapshot(file, createTables())
    return good(`${file}: ${size} bytes, complete`)
  } catch (error) {
    return toFinding(error)
  }
}

async function checkJournal(file: string): Promise<Finding> {
  const bytes = await readFile(file)
  let count = 0
  const { damage } = scan(bytes, () => {
    count += 1
  })
  if (damage && !damage.torn) return bad(new DamagedError({ file, at: damage.at, problem: 'is damaged' }).message)
  const rest = damage ? `, then an incomplete one from byte ${damage.at} on, which the next start removes` : ''
  return good(`${file}: ${count} complete records${rest}`)
}

async function checkRows(path: string, files: StoreFiles, { lastPosition }: FolderLock): Promise<Finding[]> {
  const tables = createTables()
  try {
    const { end } = await load(path, files, tables, { lastPosition })
    if (end && !end.torn) return [bad(new DamagedError(end).message)]
  } catch (error) {
    return [toFinding(error)]
  }
  const problems = [...checkIntegrity(tables), ...(await findDamagedOutputs(path, tables))]
  const sizes = Object.entries(tables.all).map(([name, { size }]) => `${size} ${name}`)
  return problems.length > 0 ? problems.map(bad) : [good(`rows are consistent: ${sizes.join(', ')}`)]
}

/** Throws errors other than damage. */
function toFinding(error: unknown): Finding {
  if (error instanceof DamagedError) return bad(error.message)
  throw error
}

/** Rolls forward from the newest good snapshot as far as the journals allow, and keeps the old files in a folder. */
export function repair({ path }: StoreOptions): Promise<Finding[]> {
  return whileLocked(path, async folderLock => {
    const files = await findExistingFiles(path)
    const recovery = await findBestRecovery(path, files, folderLock)
    if (!recovery) return [bad(`no file of ${path} can be read from its beginning; restore a backup`)]
    const { tables, end, from } = recovery
    const findings = await checkFiles(path, files)
    if (findings.every(({ ok }) => ok) && (!end || end.torn)) return [good('nothing to repair')]
    const oldFiles = await replaceFiles(path, files, tables, folderLock)
    const start = from ? `snapshot.${from}` : 'the beginning'
    return [
      good(`rolled forward from ${start}; the old files are in ${oldFiles}`),
      ...(end && !end.torn ? [bad(describeLoss(end, files))] : []),
    ]
  })
}

interface Recovery {
  from: number
  tables: Tables
  end: LoadEnd | undefined
}

/** From the newest snapshot after which all journals can be read; if there is none, from the newest good snapshot. */
async function findBestRecovery(
  path: string,
  files: StoreFiles,
  { lastPosition }: FolderLock,
): Promise<Recovery | undefined> {
  const recoveries: Recovery[] = []
  const fromStart = files.journals.includes(0) ? [0] : []
  for (const from of [...files.snapshots.toReversed(), ...fromStart]) {
    const tables = createTables()
    try {
      const { end } = await load(path, files, tables, { from, lastPosition })
      recoveries.push({ from, tables, end })
      if (!end || end.torn) break
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
    }
  }
  return recoveries.find(({ end }) => !end || end.torn) ?? recoveries[0]
}

/** Writes the rows as a new generation, then moves all older files to a folder, whose path it returns. */
async function replaceFiles(path: string, files: StoreFiles, tables: Tables, folderLock: FolderLock): Promise<string> {
  const { snapshots, journals } = files
  const generation = Math.max(...snapshots, ...journals, folderLock.lastPosition?.generation ?? 0) + 1
  const journal = await JournalFile.create(path, generation, 0)
  await journal.close()
  await writeSnapshot(path, generation, capture(tables), new AbortController().signal)
  folderLock.record(journal.position)
  const folder = join(path, `before-repair.${generation}`)
  await mkdir(folder, folderMode)
  const oldFiles = [
    ...snapshots.map(number => snapshotFile(path, number)),
    ...journals.map(number => journalFile(path, number)),
  ]
  for (const file of oldFiles) await rename(file, join(folder, basename(file)))
  await syncFolder(path)
  return folder
}

function describeLoss({ file, at, bytes }: LoadEnd, { journals }: StoreFiles): string {
  const later = journals.map(number => `journal.${number}`).filter(name => isAfter(name, basename(file)))
  const more = later.length > 0 ? `, and all of ${later.join(', ')}` : ''
  // Of a file that was emptied or removed the size is unknown.
  const amount = bytes > 0 ? `${bytes} bytes` : 'the rest'
  return `lost: ${amount} of ${basename(file)} from byte ${at} on${more}`
}

const isAfter = (name: string, other: string) => Number(name.split('.')[1]) > Number(other.split('.')[1])

async function whileLocked<Result>(path: string, work: (folderLock: FolderLock) => Promise<Result>): Promise<Result> {
  try {
    await findExistingFiles(path)
    const folderLock = await lock(path)
    return await work(folderLock).finally(() => folderLock.release())
  } catch (error) {
    throw describeFileError(path, error)
  }
}
