// Why a change cannot be taken back now: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Entry, Procedure } from '../../types.ts'
import type { UndoConflict, UndoOptions } from '../../undo-methods.ts'
import { findMergeConflicts } from '../computer-conflicts.ts'
import { leadsTo, type NamedStep } from '../steps.ts'
import { constraints } from './free-names.ts'
import { kindOf, type Row, rowOf, type UndoRows } from './kept-entries.ts'

/** The collections of records with steps. */
export const stepLists = ['procedures', 'tasks'] as const

export const conflict = (text: string, cause: UndoConflict['cause']): UndoConflict => ({ text, cause })

export type RowsOf = (name: RecordName) => readonly Row[]
export type Restored = ReadonlyMap<string, Entry[]>
export type IdsOf = (name: RecordName) => ReadonlySet<number>

export function findRecordConflict(
  restored: Restored,
  rowsOf: RowsOf,
  idsOf: IdsOf,
  takenBy: TakenBy,
): UndoConflict | undefined {
  for (const [name, { unique, parents = {} }] of Object.entries(constraints)) {
    const entries = restored.get(name) ?? []
    if (entries.length === 0) continue
    const keyOf = (row: Row) => JSON.stringify(unique.map(key => row[key]))
    // `as`: the keys of the constraints.
    const owners = new Map(rowsOf(name as RecordName).map(row => [keyOf(row), row]))
    for (const row of entries.map(rowOf)) {
      const what = `${kindOf.get(name)} ${row.name}`
      const record = String(row.name)
      const owner = owners.get(keyOf(row))
      if (owner && name === 'computers') return takenBy(record, owner)
      if (owner) return conflict(`${what}: another one has this name now`, { code: 'undo-name-taken', name: record })
      const missing = Object.entries(parents).find(([key, parent]) => !idsOf(parent).has(Number(row[key])))
      const parent = missing && `${kindOf.get(missing[1])} ${row[missing[0]]}`
      if (parent) return conflict(`${what}: there is no ${parent} any more`, { code: 'undo-parent-gone', name: record })
    }
  }
  return undefined
}

/** A schedule of a command is deleted, and kept, with its command. */
export function findIdleSchedule(restored: Restored, idsOf: IdsOf): UndoConflict | undefined {
  for (const { type, task, name } of (restored.get('schedules') ?? []).map(rowOf)) {
    if (type === 'command' || idsOf(`${type}s` as 'tasks').has(Number(task))) continue
    const text = `schedule ${name}: there is no ${type} ${task} any more`
    return conflict(text, { code: 'undo-parent-gone', name: String(name) })
  }
  return undefined
}

export function findChangeConflict(
  { changed, added }: UndoRows,
  rowsOf: RowsOf,
  idsOf: IdsOf,
  takenBy: TakenBy,
): UndoConflict | undefined {
  if (changed.length === 0) return undefined
  const rows = rowsOf('computers').filter(({ id }) => !added.includes(id))
  const computers = new Map(rows.map(row => [row.id, row]))
  const addresses = new Set(rows.map(({ ip }) => ip))
  const [found] = findMergeConflicts(changed, {
    computer: id => {
      const row = computers.get(id)
      return row && { ip: String(row.ip) }
    },
    hasAddress: ip => addresses.has(ip),
    hasRoom: id => idsOf('rooms').has(id),
    hasRepository: id => idsOf('repositories').has(id),
  })
  if (!found) return undefined
  const change = changed[found.index]
  const name = String(computers.get(change?.id ?? 0)?.name)
  const owner = found.reason === 'address taken' ? rows.find(({ ip }) => ip === change?.ip) : undefined
  return owner
    ? takenBy(name, owner)
    : conflict(`computer ${name}: ${found.reason}`, { code: 'undo-parent-gone', name })
}

/** Of the computer with this name. */
export type TakenBy = (computer: string, owner: Row) => UndoConflict

export const createTakenBy =
  (rowsOf: RowsOf, hasClient: UndoOptions['hasClient'] = () => true): TakenBy =>
  (computer, { ip, name, room }) => {
    if (!hasClient(String(ip)))
      return conflict(`computer ${computer}: address taken`, { code: 'undo-address-taken', name: computer })
    const where = rowsOf('rooms').find(({ id }) => id === room)
    const text = `computer ${computer}: ${ip} is the address of ${name}${where ? ` in room ${where.name}` : ''} now`
    const values = { name: computer, ip: String(ip), other: String(name), room: String(where?.name ?? '–') }
    return conflict(text, { code: 'undo-address-of', ...values })
  }

/** What others named while it was gone may have got steps since. */
export function findLoop(restored: Restored, rowsOf: RowsOf): UndoConflict | undefined {
  const lists = new Map<string, Pick<Procedure, 'steps'>>()
  const own = stepLists.flatMap(name => (restored.get(name) ?? []).map(entry => ({ name, row: rowOf(entry) })))
  if (own.length === 0) return undefined
  const all = [...stepLists.flatMap(name => rowsOf(name).map(row => ({ name, row }))), ...own]
  // `as`: rows of these collections.
  for (const { name, row } of all) lists.set(`${name} ${row.id}`, row as unknown as Pick<Procedure, 'steps'>)
  const find = (step: NamedStep) => lists.get('task' in step ? `tasks ${step.task}` : `procedures ${step.procedure}`)
  const loop = own.find(({ name, row: { id } }) => {
    const step = name === 'tasks' ? { task: id } : { procedure: id }
    return leadsTo(find(step)?.steps ?? [], step, find)
  })
  if (!loop) return undefined
  const name = String(loop.row.name)
  const text = `${kindOf.get(loop.name)} ${name}: its steps lead back to it now`
  return conflict(text, { code: 'undo-loop', name })
}
