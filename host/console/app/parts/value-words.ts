// What an edit has changed, in words: `Name: Lab 1 → Lab 2`.
import type { AuditAnswer, UndoAnswer } from '../../../contract/answers.ts'
import { wordsOf as timeWords, type When } from '../../../contract/recurrence-words.ts'
import { formatTime, locale, type MessageKey, t, tryTranslate } from '../language/translate.ts'
import { operations } from '../state/commands.ts'
import { centers, rooms, type Seat } from '../state/lab.ts'
import { groupBy } from './group-by.ts'
import { listOf } from './job-words.ts'

export type Change = UndoAnswer['changes'][number]
type Value = NonNullable<Change['changes']>[number]

/** Names of records that are set to the same. */
const mostNames = 6

type Changes = Pick<Change, 'changes'>

export const changeWords = ({ changes = [] }: Changes): string => wordsOfAll(changes, wordsOf)

/** What was before the change: `Name: Lab 1`. */
export const formerWords = ({ changes = [] }: Changes): string =>
  wordsOfAll(changes, ({ field, before }) => newWords({ field, after: before }))

/** Of an edit of several records each value has the names of those that got it. */
function wordsOfAll(changes: readonly Value[], wordsOfOne: (change: Value) => string): string {
  const isOne = new Set(changes.map(({ kind, record }) => `${kind} ${record}`)).size === 1
  return [...groupBy(changes, wordsOfOne)]
    .map(([words, records]) => {
      const names = records.map(({ name }) => name)
      return isOne ? words : `${listOf(names, mostNames)}: ${words}`
    })
    .join('; ')
}

/** `Room: Lab 2; Name: Lab 1`: what a refused request was about, and would have set. */
export function triedWords({ route, tried = {} }: Pick<AuditAnswer, 'route' | 'tried'>): string {
  const path = route.replace('POST ', '')
  const [, kind = ''] = path.split('/')
  return Object.entries<unknown>(tried)
    .map(([key, value]) => {
      const field = key === 'id' && kind in named ? kind : key
      const name = named[field]?.value.find(({ id }) => String(id) === String(value))?.name
      const word = fieldWord(field, operations.value.get(path)?.operationId) ?? (field === 'id' ? t('jobs.id') : field)
      return `${word}: ${name ?? valueWords(field, value)}`
    })
    .join('; ')
}

/** Of which names stand in place of ids. */
const named: Readonly<Record<string, { readonly value: readonly { id: number; name: string }[] }>> = {
  room: rooms,
  center: centers,
}

/** Of keys of records that forms name otherwise. */
const fieldKeys: Readonly<Record<string, MessageKey>> = {
  serial_number: 'field.serial',
  repo_id: 'field.repository',
  center: 'records.center',
  tags: 'tags.title',
  role: 'accounts.role',
  disabled: 'accounts.disabled',
  password: 'login.password',
  disk: 'field.session.disk',
  partition: 'field.session.partition',
  expires: 'accounts.expiryDate',
  centers: 'place.computers',
  rooms: 'plannedRestores.rooms',
  groups: 'nav.groups',
  where: 'groups.query',
  clients: 'place.computers',
  computers: 'place.computers',
  description: 'create.description',
  steps: 'job.steps',
  options: 'runOptions.title',
  task: 'schedules.runs',
}

/** As the form of the command names it; that of a room has its words with those of an import. */
export function fieldWord(key: string, command = ''): string | undefined {
  const { [key]: known = `field.${key}` } = fieldKeys
  return tryTranslate(`field.${command}.${key}`) ?? tryTranslate(known) ?? tryTranslate(`import.${key}`)
}

const wordsOf = ({ field, before, after }: Value): string =>
  `${fieldWord(field) ?? field}: ${valueWords(field, before)} → ${valueWords(field, after)}`

/** `Name: Lab 2`. */
export const newWords = ({ field, after }: Pick<Value, 'field' | 'after'>): string =>
  `${fieldWord(field) ?? field}: ${valueWords(field, after)}`

export function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (field === 'expires')
    return value === 0 ? t('when.never') : formatTime(new Date(Number(value) * 1000).toISOString())
  if (typeof value === 'boolean') return t(value ? 'command.yes' : 'command.no')
  if (Array.isArray(value)) return value.map(String).join(', ') || '–'
  if (typeof value !== 'object') return (field === 'role' && tryTranslate(`role.${value}`)) || String(value)
  if (isSeat(value)) return t('computer.placeText', { row: value.row, column: value.column })
  return isTime(value) ? timeWords(value, { t, language: locale.value }) : JSON.stringify(value)
}

const isSeat = (value: object): value is Seat => 'row' in value && 'column' in value

const isTime = (value: object): value is When => 'week_days' in value
