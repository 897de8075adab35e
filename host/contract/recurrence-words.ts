// The times of a schedule in words, and the masks of docs/concepts.md from what is chosen, for the console and the CLI.

import type { When } from './answers.ts'

export type { When }

/** How the days are chosen; `mixed`: in several ways, of which each adds days. */
export const kinds = ['once', 'daily', 'weekly', 'monthly', 'weeks', 'mixed'] as const
export type RecurrenceKind = (typeof kinds)[number]

export const firstYear = 2010
/** Every value of a mask. */
export const full = { years: 0xffff_ffff, months: 0xfff, weeks: 0x3f, week_days: 0x7f, days: 0x7fff_ffff, hours: 0xfff }
export type MaskKey = keyof typeof full

export const hasBit = (mask: number, index: number): boolean => ((mask >>> index) & 1) === 1
export const bit = (index: number): number => (1 << index) >>> 0
export const toggleBit = (mask: number, index: number): number => (mask ^ bit(index)) >>> 0
/** The indexes of the bits that mean something. */
export const bitsOf = (key: MaskKey, mask: number): number[] =>
  Array.from({ length: 32 }, (_, index) => index).filter(index => hasBit(mask & full[key], index))

const isFull = (key: MaskKey, mask: number) => (mask & full[key]) >>> 0 === full[key]
const isOne = (key: MaskKey, mask: number) => bitsOf(key, mask).length === 1

export function kindOf(when: When): RecurrenceKind {
  if (isFull('days', when.days) || isFull('week_days', when.week_days)) return 'daily'
  const ways = [
    ...(bitsOf('days', when.days).length > 0 ? (['monthly'] as const) : []),
    ...(bitsOf('week_days', when.week_days).length > 0 ? (['weekly'] as const) : []),
    ...(bitsOf('weeks', when.weeks).length > 0 ? (['weeks'] as const) : []),
  ]
  const [only, ...others] = ways
  if (only === undefined || others.length > 0) return 'mixed'
  return only === 'monthly' && isDate(when) ? 'once' : only
}

const isDate = ({ years, months, days }: When) =>
  isOne('years', years) && isOne('months', months) && isOne('days', days)

/** The masks for another way to choose the days; `today` is where it starts. */
export function withKind(when: When, kind: RecurrenceKind, today: Date): When {
  if (kind === 'once') return withDate(when, isoDate(today))
  const none = { days: 0, week_days: 0, weeks: 0 }
  // A single date is no choice of months and years for what repeats.
  const months = kindOf(when) === 'once' ? { years: full.years, months: full.months } : {}
  switch (kind) {
    case 'daily':
      return { ...when, ...months, ...none, days: full.days }
    case 'weekly':
      return { ...when, ...months, ...none, week_days: bit((today.getDay() + 6) % 7) }
    case 'monthly':
      return { ...when, ...months, ...none, days: bit(0) }
    case 'weeks':
      return { ...when, ...months, ...none, weeks: bit(0) }
    case 'mixed':
      // Next to all days, further ones would say nothing.
      return kindOf(when) === 'daily' ? { ...when, ...none, days: bit(0), week_days: bit(4) } : { ...when, ...months }
  }
}

/** A new schedule: every day at 22:30. */
export const everyEvening: When = {
  ...{ years: full.years, months: full.months, weeks: 0, week_days: 0, days: full.days },
  ...{ hours: bit(10), am_pm: 1, minutes: 30 },
}

const two = (value: number) => String(value).padStart(2, '0')
export const isoDate = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** `yyyy-mm-dd` of a schedule that runs once. */
export const dateOf = ({ years, months, days }: When): string =>
  `${firstYear + lowest('years', years)}-${two(lowest('months', months) + 1)}-${two(lowest('days', days) + 1)}`

const lowest = (key: MaskKey, mask: number) => bitsOf(key, mask)[0] ?? 0

/** Unchanged for a date outside 2010 to 2041. */
export function withDate(when: When, date: string): When {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  if (!(year >= firstYear && year < firstYear + 32)) return when
  const none = { week_days: 0, weeks: 0 }
  return { ...when, ...none, years: bit(year - firstYear), months: bit(month - 1), days: bit(day - 1) }
}

/** The times of the day as `HH:MM`. */
export const timesOf = ({ hours, am_pm, minutes }: When): string[] =>
  bitsOf('hours', hours).map(hour => `${two(hour + 12 * am_pm)}:${two(minutes)}`)

export function withTime(when: When, time: string): When {
  const [hour = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number)
  if (!(hour >= 0 && hour < 24 && minutes >= 0 && minutes < 60)) return when
  return { ...when, hours: bit(hour % 12), am_pm: hour < 12 ? 0 : 1, minutes }
}

/** No day, time, month or year is chosen, or a time that does not exist. */
export const isNever = (when: When): boolean =>
  timesOf(when).length === 0 ||
  when.am_pm > 1 ||
  when.minutes > 59 ||
  bitsOf('months', when.months).length === 0 ||
  bitsOf('years', when.years).length === 0 ||
  dayMasks.every(key => bitsOf(key, when[key]).length === 0)

const dayMasks = ['days', 'week_days', 'weeks'] as const

type WordKey =
  | 'when.at'
  | 'when.day'
  | 'when.days'
  | 'when.every'
  | 'when.everyDay'
  | 'when.in'
  | 'when.never'
  | 'when.once'
  | 'when.range'
  | 'when.weeks'
  | `when.week${1 | 2 | 3 | 4 | 5 | 6}`

/** The texts of a language, and its code (`pt-PT`) for names of days and months. */
export interface Words {
  t(key: WordKey, values?: Readonly<Record<string, string | number>>): string
  language: string
}

/** `every Friday at 22:30`: says all of the masks. */
export function wordsOf(when: When, words: Words): string {
  const { t, language } = words
  if (isNever(when)) return t('when.never')
  const at = t('when.at', { times: listOf(timesOf(when), language) })
  if (kindOf(when) === 'once') return `${t('when.once', { date: longDate(dateOf(when), language) })} ${at}`
  const years = isFull('years', when.years) ? '' : `, ${phrase(when, 'years', words, t)}`
  const months = isFull('months', when.months) ? '' : `, ${phrase(when, 'months', words, t)}`
  return `${daysInWords(when, words)} ${at}${months}${years}`
}

function daysInWords(when: When, words: Words): string {
  const { t, language } = words
  if (kindOf(when) === 'daily') return t('when.everyDay')
  const ways = dayMasks.filter(key => bitsOf(key, when[key]).length > 0).map(key => phrase(when, key, words, t))
  return listOf(ways, language)
}

const phraseKeys = {
  days: 'when.days',
  week_days: 'when.every',
  weeks: 'when.weeks',
  months: 'when.in',
  years: 'when.in',
} as const

/** Three or more in a row are `from A to B`. */
function phrase(when: When, key: keyof typeof phraseKeys, words: Words, t: Words['t']): string {
  const indexes = bitsOf(key, when[key])
  const names = indexes.map(index => nameOfBit(key, index, words))
  const [from, to] = [names[0] ?? '', names.at(-1) ?? '']
  const isRun = indexes.length > 2 && (indexes.at(-1) ?? 0) - (indexes[0] ?? 0) === indexes.length - 1
  const isRange = isRun && key !== 'weeks'
  const items = isRange ? t('when.range', { from, to }) : listOf(names, words.language)
  return isRange && key !== 'days' ? items : t(phraseKeys[key], { items })
}

const weeks = ['when.week1', 'when.week2', 'when.week3', 'when.week4', 'when.week5', 'when.week6'] as const

export function nameOfBit(key: MaskKey, index: number, { t, language }: Words): string {
  switch (key) {
    case 'week_days':
      // The 1st of January 2024 was a Monday.
      return new Date(2024, 0, 1 + index).toLocaleDateString(language, { weekday: 'long' })
    case 'months':
      return new Date(2024, index).toLocaleDateString(language, { month: 'long' })
    case 'years':
      return String(firstYear + index)
    case 'weeks':
      return t(weeks[index] ?? 'when.week6')
    case 'days':
      return t('when.day', { day: ordinalOf(index + 1, language) })
    case 'hours':
      return String(index)
  }
}

const suffixes: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

function ordinalOf(value: number, language: string): string {
  if (!language.startsWith('en')) return String(value)
  return `${value}${suffixes[new Intl.PluralRules('en', { type: 'ordinal' }).select(value)]}`
}

const listOf = (items: string[], language: string) => new Intl.ListFormat(language).format(items)

const longDate = (date: string, language: string) =>
  new Date(`${date}T12:00`).toLocaleDateString(language, { dateStyle: 'full' })
