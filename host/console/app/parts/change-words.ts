// What an edit was, in words: `Change a computer: pc-1`.
import { formatNumber, formatTime, t } from '../language/translate.ts'
import { listOf } from './job-words.ts'
import { type Change, fieldWord, formerWords } from './value-words.ts'

/** Records that a question names. */
const mostNames = 6

/** What was done, without when and by whom. */
type Deed = Pick<Change, 'kind' | 'name' | 'counts' | 'fields' | 'changes'>

/** What takes an edit back can be taken back in its turn: that is done again. */
const isRedo = ({ counts: { undone = 0 } }: Pick<Change, 'counts'>): boolean => undone % 2 === 1

/** `Delete a room: Studio`, `Undo: Change a computer: pc-1`. */
export function changeTitle(change: Change): string {
  const words = deedWords(change)
  return change.counts.undone ? `${t(isRedo(change) ? 'undo.action' : 'undo.redo')}: ${words}` : words
}

/** What is now that the change was taken back: `Change a room: Lab 1. Now: Name: Lab 1`. */
export function undoneWords(change: Change): string {
  const { fields, changes = [], record, kind } = change
  const named = changes.find(each => each.field === 'name' && each.record === record)
  const what = deedWords({ ...change, ...(named && { name: String(named.before) }) })
  if (fields) return t('undo.now', { what, values: formerWords(change) })
  return kind === 'import' ? what : t('undo.back', { what })
}

/** Title, text and action of what is asked before a change is taken back, if it loses something. */
export function undoQuestion(change: Change): [string, string, string] | undefined {
  const gone = (change.gone ?? []).map(({ count, names }) => {
    const all = Array.from({ length: count }, (_, at) => names[at] ?? '')
    return t('undo.importText', { n: count, names: listOf(all, mostNames) })
  })
  if (gone.length === 0) return change.later && [t('undo.overwriteTitle'), overwriteWords(change), t('undo.overwrite')]
  const text = [...gone, change.later && overwriteWords(change)].filter(Boolean).join(' ')
  return [changeTitle(change), text, t('records.delete')]
}

/** `Change a room: Lab 1. Changed since: Name (user anna, 14:02). …`: what taking it back would replace. */
function overwriteWords(change: Change): string {
  const later = (change.later ?? []).map(({ at, by, fields, names }) => {
    const words = fields.map(field => fieldWord(field) ?? field).join(', ')
    const isNamed = change.kind === 'import' || change.changes?.some(each => each.name !== names[0])
    const records = names.length > 0 && isNamed ? `${listOf(names, mostNames)}: ` : ''
    return `${records}${words} (${by}, ${formatTime(at)})`
  })
  return t('undo.overwriteText', { what: deedWords(change), later: later.join('; ') })
}

/** `Delete a room: Studio (Computers: 12)`, `Change a computer: pc-1 and 3 more`, `Import computers: 12 new`. */
function deedWords(change: Change): string {
  const { kind, fields } = change
  if (kind === 'import') return `${t('command.client-import')}: ${recordWords(change)}`
  const what = t(kind === 'computer' ? 'noun.client' : `noun.${kind}`)
  return `${t(fields ? 'verb.update' : 'verb.delete', { what })}: ${recordWords(change)}`
}

/** `Studio (Computers: 12)`, `pc-1 and 3 more`, `12 new, 3 changed`. */
export function recordWords(change: Deed): string {
  const { kind, name, fields } = change
  const { added = 0, changed = 0 } = change.counts
  if (kind === 'import')
    return [added > 0 && t('import.added', { n: added }), changed > 0 && t('import.updated', { n: changed })]
      .filter(Boolean)
      .join(', ')
  const n = ownCount(change) - 1
  const names = n > 0 ? listOf([name, t('inUse.more', { n })]) : name
  const others = fields ? '' : othersWords(change)
  return others === '' ? names : `${names} (${others})`
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
