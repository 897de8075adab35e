// Looks at the files of a stopped store, and saves what can be saved of damaged ones.
import { mkdir, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { audit } from '../memory/integrity.ts'
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Finding, StoreOptions } from '../store.ts'
import { type Found, inOneLine, journalFile, openJournalFile, snapshotFile, syncFolder } from './files.ts'
import { lock } from './lock.ts'
import { findStore } from './read-only.ts'
import { scan } from './record-format.ts'
import { Damaged, type End, load, loadSnapshot } from './recovery.ts'
import { capture, writeSnapshot } from './snapshot.ts'

const good = (what: string): Finding => ({ ok: true, message: what })
const bad = (what: string): Finding => ({ ok: false, message: what })

/** One finding for each file, and one for each contradiction in what they hold. */
export function check({ path }: StoreOptions): Promise<Finding[]> {
  return locked(path, async () => {
    const found = await findStore(path)
    return [...(await checkFiles(path, found)), ...(await checkRows(path, found))]
  })
}

function checkFiles(path: string, { snapshots, journals }: Found): Promise<Finding[]> {
  return Promise.all([
    ...snapshots.map(generation => checkSnapshot(snapshotFile(path, generation))),
    ...journals.map(generation => checkJournal(journalFile(path, generation))),
  ])
}

async function checkSnapshot(file: string): Promise<Finding> {
  try {
    const size = await loadSnapshot(file, createTables())
    return good(`${file}: ${size} bytes, whole`)
  } catch (error) {
    if (error instanceof Damaged) return bad(error.message)
    throw error
  }
}

async function checkJournal(file: string): Promise<Finding> {
  const bytes = await readFile(file)
  let count = 0
  const damage = scan(bytes, () => {
    count += 1
  })
  if (damage && !damage.torn) return bad(new Damaged({ file, at: damage.at, what: 'is damaged' }).message)
  const rest = damage ? `, then an unfinished one from byte ${damage.at} on, which the next start cuts off` : ''
  return good(`${file}: ${count} whole records${rest}`)
}

async function checkRows(path: string, found: Found): Promise<Finding[]> {
  const tables = createTables()
  try {
    const { end } = await load(path, found, tables)
    if (end && !end.torn) return [bad(new Damaged(end).message)]
  } catch (error) {
    if (error instanceof Damaged) return [bad(error.message)]
    throw error
  }
  const contradictions = audit(tables)
  const sizes = Object.entries(tables.all).map(([name, { size }]) => `${size} ${name}`)
  return contradictions.length > 0 ? contradictions.map(bad) : [good(`rows agree: ${sizes.join(', ')}`)]
}

/** Rolls forward from the newest good snapshot as far as the journals go. The files from before are kept aside. */
export function repair({ path }: StoreOptions): Promise<Finding[]> {
  return locked(path, async () => {
    const found = await findStore(path)
    const rescue = await bestRescue(path, found)
    if (!rescue) return [bad(`no file of ${path} can be read from its beginning; restore a backup`)]
    const { tables, end, from } = rescue
    const files = await checkFiles(path, found)
    if (files.every(file => file.ok) && (!end || end.torn)) return [good('nothing to repair')]
    const aside = await replace(path, found, tables)
    const lost = end && !end.torn ? [bad(whatIsLost(end, found))] : []
    return [
      good(`rolled forward from ${from ? `snapshot.${from}` : 'the beginning'}; the old files are in ${aside}`),
      ...lost,
    ]
  })
}

interface Rescue {
  from: number
  tables: Tables
  end: End | undefined
}

/** The newest snapshot from which all journals can be read, otherwise the newest good one. */
async function bestRescue(path: string, { snapshots, ...found }: Found): Promise<Rescue | undefined> {
  const rescues: Rescue[] = []
  const fromStart = found.journals.includes(0) ? [0] : []
  for (const from of [...snapshots.toReversed(), ...fromStart]) {
    const tables = createTables()
    try {
      const { end } = await load(path, { snapshots, ...found }, tables, from)
      rescues.push({ from, tables, end })
      if (!end || end.torn) break
    } catch (error) {
      if (!(error instanceof Damaged)) throw error
    }
  }
  return rescues.find(({ end }) => !end || end.torn) ?? rescues[0]
}

/** Writes the rows as the newest generation, then moves all others aside. */
async function replace(path: string, { snapshots, journals }: Found, tables: Tables): Promise<string> {
  const generation = Math.max(...snapshots, ...journals) + 1
  const journal = await openJournalFile(path, generation)
  await journal.close()
  await writeSnapshot(path, generation, capture(tables), new AbortController().signal)
  const aside = join(path, `before-repair.${generation}`)
  await mkdir(aside)
  const old = [
    ...snapshots.map(number => snapshotFile(path, number)),
    ...journals.map(number => journalFile(path, number)),
  ]
  for (const file of old) await rename(file, join(aside, basename(file)))
  await syncFolder(path)
  return aside
}

function whatIsLost({ file, at, bytes }: End, { journals }: Found): string {
  const later = journals.map(number => `journal.${number}`).filter(name => isAfter(name, basename(file)))
  const more = later.length > 0 ? `, and all of ${later.join(', ')}` : ''
  return `lost: ${bytes} bytes of ${basename(file)} from byte ${at} on${more}`
}

const isAfter = (name: string, other: string) => Number(name.split('.')[1]) > Number(other.split('.')[1])

async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    await findStore(path)
    const unlock = await lock(path)
    return await work().finally(unlock)
  } catch (error) {
    throw inOneLine(path, error)
  }
}
