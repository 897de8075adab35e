// What an edit has changed, in words: `Name: Lab 1 → Lab 2`.
import type { UndoAnswer } from '../../../contract/answers.ts'
import { wordsOf as timeWords, type When } from '../../../contract/recurrence-words.ts'
import { locale, t, tryTranslate } from '../language/translate.ts'

export type Change = UndoAnswer['changes'][number]
type Value = NonNullable<Change['changes']>[number]

/** Of an edit of several records each value has the name of its own. */
export function changeWords({ changes = [] }: Pick<Change, 'changes'>): string {
  const isOne = new Set(changes.map(({ kind, record }) => `${kind} ${record}`)).size === 1
  return changes.map(change => (isOne ? wordsOf(change) : `${change.name}: ${wordsOf(change)}`)).join('; ')
}

/** Of keys of records that forms name otherwise. */
const fieldKeys: Readonly<Record<string, string>> = { serial_number: 'serial', repo_id: 'repository' }

const wordsOf = ({ field, before, after }: Value): string =>
  `${tryTranslate(`field.${fieldKeys[field] ?? field}`) ?? field}: ${valueWords(before)} → ${valueWords(after)}`

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(String).join(' ') || '–'
  if (typeof value !== 'object') return String(value)
  return isTime(value) ? timeWords(value, { t, language: locale.value }) : JSON.stringify(value)
}

const isTime = (value: object): value is When => 'week_days' in value
