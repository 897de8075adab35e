// The times of schedules as options of `fleet` have them, and in words.
import type { When } from '../../contract/answers.ts'
import { everyEvening, full, kindOf, type Words, withTime, wordsOf } from '../../contract/recurrence-words.ts'
import type { ApiClient } from '../api/client.ts'
import { usageError } from '../cli-error.ts'

export interface TimeFlags {
  at?: string | undefined
  on?: string | undefined
}

/** Help of `--on`. */
export const daysHelp = 'days: mon-fri, weekdays, weekend, "every day", mon,wed, or of the month: 1,15'

/** The masks of a time of day, and of days: without `on` of every day. */
export const whenOf = (at: string, on: string | undefined): When => withTimes(everyEvening, { at, on })

/** What is not named stays. */
export function withTimes(when: When, { at, on }: TimeFlags): When {
  if (at !== undefined && !/^([01]?\d|2[0-3]):[0-5]\d$/.test(at))
    throw usageError(`--at: expected a time such as 22:30, got ${at}`)
  const timed = at === undefined ? when : withTime(when, at)
  if (on === undefined) return timed
  // A single date is no choice of months and years for what repeats.
  const months = kindOf(when) === 'once' ? { years: full.years, months: full.months } : {}
  return { ...timed, ...months, ...dayMasks(on) }
}

const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** In place of days of the week. */
const groupsOfDays: Readonly<Record<string, string>> = {
  weekdays: 'mon-fri',
  weekend: 'sat-sun',
  'every day': '1-31',
  'every-day': '1-31',
}

function dayMasks(on: string): Pick<When, 'days' | 'weeks' | 'week_days'> {
  const masks = { days: 0, weeks: 0, week_days: 0 }
  for (const text of on.toLowerCase().split(',')) {
    const word = text.trim()
    const [from = '', to = from, ...rest] = (groupsOfDays[word] ?? word).split('-')
    const [first, last] = [dayOf(from), dayOf(to)]
    if (!first || first.key !== last?.key || rest.length > 0)
      throw usageError(
        `--on: expected ${weekDays.join(', ')}, weekdays, weekend, every day, 1 to 31, or a range such as mon-fri, got ${word}`,
      )
    masks[first.key] |= rangeMask(first.index, last.index, first.key === 'days' ? 31 : weekDays.length)
  }
  return masks
}

function dayOf(text: string): { key: 'days' | 'week_days'; index: number } | undefined {
  if (weekDays.includes(text)) return { key: 'week_days', index: weekDays.indexOf(text) }
  return /^([1-9]|[12]\d|3[01])$/.test(text) ? { key: 'days', index: Number(text) - 1 } : undefined
}

/** From Saturday to Monday goes on with the next week. */
function rangeMask(first: number, last: number, length: number): number {
  const count = ((last - first + length) % length) + 1
  return Array.from({ length: count }, (_, step) => 1 << ((first + step) % length)).reduce((mask, bit) => mask | bit, 0)
}

const texts: Record<Parameters<Words['t']>[0], string> = {
  'when.at': 'at {times}',
  'when.day': 'the {day}',
  'when.days': 'on {items} of each month',
  'when.every': 'every {items}',
  'when.everyDay': 'every day',
  'when.in': 'in {items}',
  'when.never': 'never',
  'when.once': 'once, on {date}',
  'when.range': '{from} to {to}',
  'when.week1': 'the first week',
  'when.week2': 'the second week',
  'when.week3': 'the third week',
  'when.week4': 'the fourth week',
  'when.week5': 'the fifth week',
  'when.week6': 'the last week',
  'when.weeks': 'every day of {items} of the month',
}

/** `Monday to Friday at 22:30`. */
export const whenWords = (when: When): string =>
  wordsOf(when, {
    language: 'en',
    t: (key, values = {}) => texts[key].replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name])),
  })

export async function readNextTimes({ call }: ApiClient, id: number, count: string) {
  return (await call(`GET /schedule/next?${new URLSearchParams({ id: String(id), count })}`)).body
}
