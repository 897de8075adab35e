// Why a caller may not take something back, or why it cannot be done.
import type { Entry, Store, UndoConflict, UndoItem } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Refusal, Rights } from '../contract/services.ts'
import { laterEdits } from './later-edits.ts'

export const refusalOf = ({ text, cause }: UndoConflict): Refusal => refuse(text, 400, cause)

export function unknown(id: number | undefined, { isLimited }: Rights): Refusal {
  if (id === undefined)
    return refuse('expected a deletion, an edit or an import of yours, got none', 400, { code: 'undo-none' })
  const text = `id: there is no change ${id} to undo: it may have been taken back already`
  return refuse(text, isLimited ? 403 : 400, { code: 'undo-gone', id })
}

/** The limits may be others than when it was deleted. */
export function checkLimits(entries: readonly Entry[], { isLimited, reachesRoom }: Rights): UndoConflict | undefined {
  const isOutside = ([, row]: Entry) => row instanceof Object && 'room' in row && !reachesRoom(row.room)
  const text = 'expected computers in the rooms of the token, got others'
  return isLimited && entries.some(isOutside) ? { text, cause: { code: 'undo-outside' } } : undefined
}

/** Former values also replace what later edits of the same values have set: only if the caller wants that. */
export async function checkLater(item: UndoItem, { undo }: Store): Promise<Refusal | undefined> {
  const later = await laterEdits(item, await undo.list(), { undo })
  const words = later.map(({ id, at, by, fields }) => `${fields.join(', ')}: set by ${by}, ${at} (change ${id})`)
  if (later.length === 0) return undefined
  const cause = {
    code: 'undo-later',
    by: [...new Set(later.map(({ by }) => by))].join(', '),
    fields: [...new Set(later.flatMap(({ fields }) => fields))].join(' '),
  }
  return refuse(`overwrite: expected true, as this was changed since: ${words.join('; ')}`, 409, cause)
}
