// Other names for records that come back while others have theirs: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Entry } from '../../types.ts'
import type { Renamed } from '../../undo-methods.ts'
import { kindOf, type Row, rowOf } from './kept-entries.ts'

/** Keys that no two rows have together, and what the rows name that must exist. */
export const constraints: {
  readonly [Name in RecordName]?: { unique: string[]; parents?: Record<string, RecordName> }
} = {
  centers: { unique: ['name'] },
  rooms: { unique: ['center', 'name'], parents: { center: 'centers' } },
  repositories: { unique: ['name'] },
  groups: { unique: ['name'] },
  images: { unique: ['name'], parents: { repo_id: 'repositories' } },
  computers: { unique: ['ip'], parents: { room: 'rooms', repo_id: 'repositories' } },
  procedures: { unique: ['center', 'name'], parents: { center: 'centers' } },
  tasks: { unique: ['center', 'name'], parents: { center: 'centers' } },
  tokens: { unique: ['name'] },
  users: { unique: ['name'] },
}

/** An image's file has its name; addresses are no names. */
const isFixed = (collection: string) => collection === 'images' || collection === 'computers'

const together = ['procedures', 'tasks', 'schedules']

/** What was made together under one name keeps one name. */
const familyOf = ([collection, row]: Entry) =>
  `${together.includes(collection) ? 'tasks' : collection} ${rowOf([collection, row]).name}`

/** `entries` with free names, `Maint (2)`, in place of those that other rows have now. */
export function withFreeNames(
  entries: Entry[],
  rowsOf: (name: RecordName) => readonly Row[],
): { entries: Entry[]; renamed: Renamed[] } {
  const isTaken = createIsTaken(entries, rowsOf)
  const names = new Map<string, string>()
  for (const entry of entries) {
    const family = familyOf(entry)
    if (isFixed(entry[0]) || names.has(family) || !isTaken(entry)) continue
    const members = entries.filter(each => familyOf(each) === family)
    names.set(
      family,
      findFree(String(rowOf(entry).name), name => members.some(each => isTaken(each, name))),
    )
  }
  const renamed: Renamed[] = []
  const named = entries.map((entry): Entry => {
    const [to, row] = [names.get(familyOf(entry)), rowOf(entry)]
    if (to === undefined) return entry
    renamed.push({ kind: kindOf.get(entry[0]) ?? '', from: String(row.name), to })
    // `as`: the same row with another name.
    return [entry[0], { ...row, name: to }] as unknown as Entry
  })
  return { entries: named, renamed }
}

/** Whether another row has the name of an entry, or would have a new one. */
function createIsTaken(entries: Entry[], rowsOf: (name: RecordName) => readonly Row[]) {
  const keyOf = (collection: RecordName, row: Row) =>
    JSON.stringify([collection, ...(constraints[collection]?.unique ?? []).map(key => row[key])])
  const present = new Set<string>()
  const own = new Set<string>()
  for (const collection of new Set(entries.map(([name]) => name).filter(hasNames))) {
    for (const row of rowsOf(collection)) present.add(keyOf(collection, row))
  }
  for (const entry of entries) if (hasNames(entry[0])) own.add(keyOf(entry[0], rowOf(entry)))
  return ([collection, row]: Entry, name?: string) => {
    if (!hasNames(collection)) return false
    const key = keyOf(collection, { ...rowOf([collection, row]), ...(name !== undefined && { name }) })
    return present.has(key) || (name !== undefined && own.has(key))
  }
}

const hasNames = (collection: string): collection is RecordName => collection in constraints

function findFree(name: string, isTaken: (name: string) => boolean): string {
  const stem = name.replace(/ \(\d{1,9}\)$/, '')
  for (let number = 2; ; number += 1) {
    const free = `${stem} (${number})`
    if (!isTaken(free)) return free
  }
}
