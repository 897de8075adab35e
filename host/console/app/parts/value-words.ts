// What an edit has changed, in words: `Name: Lab 1 → Lab 2`.
import { wordsOf as timeWords, type When } from '../../../contract/recurrence-words.ts'
import { locale, type MessageKey, t, tryTranslate } from '../language/translate.ts'
import type { Seat } from '../state/lab.ts'
import type { Change } from './change-words.ts'

type Value = NonNullable<Change['changes']>[number]

/** Of an edit of several records each value has the name of its own. */
export function changeWords({ changes = [] }: Pick<Change, 'changes'>): string {
  const isOne = new Set(changes.map(({ kind, record }) => `${kind} ${record}`)).size === 1
  return changes.map(change => (isOne ? wordsOf(change) : `${change.name}: ${wordsOf(change)}`)).join('; ')
}

/** Of keys of records that forms name otherwise. */
const fieldKeys: Readonly<Record<string, MessageKey>> = {
  serial_number: 'field.serial',
  repo_id: 'field.repository',
  center: 'records.center',
  tags: 'tags.title',
  role: 'accounts.role',
  expires: 'accounts.expiryDate',
  centers: 'place.computers',
  rooms: 'plannedRestores.rooms',
  where: 'groups.query',
  clients: 'place.computers',
}

/** The form of a room has its words with those of an import. */
function fieldWord(key: string): string {
  const known = fieldKeys[key]
  return known ? t(known) : (tryTranslate(`field.${key}`) ?? tryTranslate(`import.${key}`) ?? key)
}

const wordsOf = ({ field, before, after }: Value): string =>
  `${fieldWord(field)}: ${valueWords(before)} → ${valueWords(after)}`

/** `Name: Lab 2`. */
export const newWords = ({ field, after }: Pick<Value, 'field' | 'after'>): string =>
  `${fieldWord(field)}: ${valueWords(after)}`

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(String).join(' ') || '–'
  if (typeof value !== 'object') return String(value)
  if (isSeat(value)) return t('computer.placeText', { row: value.row, column: value.column })
  return isTime(value) ? timeWords(value, { t, language: locale.value }) : JSON.stringify(value)
}

const isSeat = (value: object): value is Seat => 'row' in value && 'column' in value

const isTime = (value: object): value is When => 'week_days' in value
