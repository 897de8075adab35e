// What an edit has changed, in words: `Name: Lab 1 → Lab 2`.
import type { UndoAnswer } from '../../../contract/answers.ts'
import { wordsOf as timeWords, type When } from '../../../contract/recurrence-words.ts'
import { formatNumber, locale, t, tryTranslate } from '../language/translate.ts'
import { listOf } from './job-words.ts'

export type Change = UndoAnswer['changes'][number]
type Value = NonNullable<Change['changes']>[number]

/** What takes an edit back can be taken back in its turn: that is done again. */
const isRedo = ({ counts: { undone = 0 } }: Pick<Change, 'counts'>): boolean => undone % 2 === 1

/** `Delete a room: Studio`, `Undo: Change a computer: pc-1`. */
export function changeTitle(change: Change): string {
  const words = deedWords(change)
  return change.counts.undone ? `${t(isRedo(change) ? 'undo.action' : 'undo.redo')}: ${words}` : words
}

/** `Delete a room: Studio (Computers: 12)`, `Change a computer: pc-1 and 3 more`, `Import computers: 12 new`. */
export function deedWords(change: Change): string {
  const { kind, fields } = change
  if (kind === 'import') return `${t('command.client-import')}: ${recordWords(change)}`
  const what = t(kind === 'computer' ? 'noun.client' : `noun.${kind}`)
  return `${t(fields ? 'verb.update' : 'verb.delete', { what })}: ${recordWords(change)}`
}

/** `Studio (Computers: 12)`, `pc-1 and 3 more`, `12 new, 3 changed`. */
export function recordWords(change: Change): string {
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
function ownCount({ kind, counts, fields, changes = [] }: Change): number {
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
const othersWords = ({ kind, counts }: Change): string =>
  Object.entries(countKeys)
    .flatMap(([key, words]) => {
      const { [key]: n } = counts
      return n === undefined || key === `${kind}s` ? [] : `${t(words)}: ${formatNumber(n)}`
    })
    .join(', ')

/** Of an edit of several records each value has the name of its own. */
export function changeWords({ changes = [] }: Pick<Change, 'changes'>): string {
  const isOne = new Set(changes.map(({ kind, record }) => `${kind} ${record}`)).size === 1
  return changes.map(change => (isOne ? wordsOf(change) : `${change.name}: ${wordsOf(change)}`)).join('; ')
}

/** Of keys of records that forms name otherwise. */
const fieldKeys: Readonly<Record<string, string>> = { serial_number: 'serial', repo_id: 'repository' }

/** The form of a room has its words with those of an import. */
const fieldWord = (key: string): string => tryTranslate(`field.${key}`) ?? tryTranslate(`import.${key}`) ?? key

const wordsOf = ({ field, before, after }: Value): string =>
  `${fieldWord(fieldKeys[field] ?? field)}: ${valueWords(before)} → ${valueWords(after)}`

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(String).join(' ') || '–'
  if (typeof value !== 'object') return String(value)
  return isTime(value) ? timeWords(value, { t, language: locale.value }) : JSON.stringify(value)
}

const isTime = (value: object): value is When => 'week_days' in value
