// What an edit was, in words: `Change a computer: pc-1`.
import type { AuditAnswer } from '../../../contract/answers.ts'
import { formatNumber, t } from '../language/translate.ts'
import { textIn } from './form-dialog.tsx'
import { listOf } from './job-words.ts'
import { type Change, formerWords } from './value-words.ts'

/** Records that a text names. */
export const mostNames = 6

/** What was done, without when and by whom. */
type Deed = Pick<Change, 'kind' | 'name' | 'counts' | 'fields' | 'changes'> &
  Pick<NonNullable<AuditAnswer['change']>, 'names'>

/** What takes an edit back can be taken back in its turn: that is done again. */
const isRedo = ({ counts: { undone = 0 } }: Pick<Change, 'counts'>): boolean => undone % 2 === 1

/** `Delete a room: Studio`, `Undo: Change a computer: pc-1`. */
export function changeTitle(change: Change): string {
  const words = deedWords(change)
  return change.counts.undone ? `${t(isRedo(change) ? 'undo.action' : 'undo.redo')}: ${words}` : words
}

/** Of an edit that has no Undo. */
export const savedWithoutUndo = (form: HTMLFormElement): string =>
  `${t('records.saved', { name: textIn(new FormData(form), 'name') })} ${t('undo.never')}`

/** What is now that the change was taken back: `Change a room: Lab 1. Now: Name: Lab 1`. */
export function undoneWords(change: Change): string {
  const { fields, changes = [], record, kind } = change
  const named = changes.find(each => each.field === 'name' && each.record === record)
  const what = deedWords({ ...change, ...(named && { name: String(named.before) }) })
  if (fields) return t('undo.now', { what, values: formerWords(change) })
  return kind === 'import' ? what : t('undo.back', { what })
}

/** `Delete a room: Studio (Computers: 12)`, `Change a computer: pc-1 and 3 more`, `Import computers: 12 new`. */
export function deedWords(change: Deed, most?: number): string {
  const { kind, fields } = change
  if (kind === 'import') return `${t('command.client-import')}: ${recordWords(change, most)}`
  const what = t(kind === 'computer' ? 'noun.client' : `noun.${kind}`)
  return `${t(fields ? 'verb.update' : 'verb.delete', { what })}: ${recordWords(change, most)}`
}

/** `Studio (Computers: 12)`, `pc-1 and 3 more`, `12 new, 3 changed`; where names are known, with as many as `most`. */
export function recordWords(change: Deed, most = mostNames): string {
  const { kind, name, fields, counts, names = [] } = change
  const { undone: _, added = 0, changed = 0, ...removed } = counts
  const total = Object.values(removed).reduce((sum, count) => sum + count, added + changed)
  const listed = (first: number) =>
    names.length > 0
      ? listOf(
          Array.from({ length: total - first }, (_, at) => names[at + first] ?? ''),
          most,
        )
      : ''
  if (kind === 'import') {
    const parts = [added > 0 && t('import.added', { n: added }), changed > 0 && t('import.updated', { n: changed })]
    return [parts.filter(Boolean).join(', '), listed(0)].filter(Boolean).join(': ')
  }
  const n = ownCount(change) - 1
  const several = n > 0 && (listed(0) || listOf([name, t('inUse.more', { n })]))
  const others = fields ? '' : othersWords(change)
  if (others === '') return several || name
  return `${several || name} (${several ? others : [others, listed(1)].filter(Boolean).join(': ')})`
}

/** Of what was edited with another record that one is named. */
function ownCount({ kind, counts, fields, changes = [] }: Deed): number {
  if (!fields) return counts[`${kind}s`] ?? 1
  return changes.some(change => change.kind !== kind) ? 1 : (counts.changed ?? 1)
}

const countKeys = {
  rooms: 'plannedRestores.rooms',
  computers: 'place.computers',
  images: 'place.images',
  schedules: 'group.schedules',
  tasks: 'procedures.tasks',
  procedures: 'procedures.procedures',
} as const

/** `Rooms: 1, Computers: 12`: what was deleted with it. */
const othersWords = ({ kind, counts }: Deed): string =>
  Object.entries(countKeys)
    .flatMap(([key, words]) => {
      const { [key]: n } = counts
      return n === undefined || key === `${kind}s` ? [] : `${t(words)}: ${formatNumber(n)}`
    })
    .join(', ')
