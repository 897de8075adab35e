// The times of schedules as options of `fleet` have them, and in words.
import type { When } from '../../contract/answers.ts'
import {
  dateOf,
  everyEvening,
  full,
  isoDate,
  kindOf,
  timesOf,
  type Words,
  withDate,
  withTime,
  wordsOf,
} from '../../contract/recurrence-words.ts'
import type { ApiClient } from '../api/client.ts'
import { usageError } from '../cli-error.ts'

export interface TimeFlags {
  at?: string | undefined
  on?: string | undefined
  /** What fires once may fire again and again. */
  repeat?: boolean | undefined
}

/** Help of `--on`. */
export const daysHelp =
  'days: mon-fri, weekdays, weekend, "every day", mon,wed, of the month: 1,15, or once: 2026-11-30'

/** The masks of a time of day, and of days: without `on` of every day. */
export const whenOf = (at: string, on: string | undefined): When => withTimes(everyEvening, { at, on })

/** What is not named stays; what fires once goes on to do so. */
export function withTimes(when: When, { repeat, ...flags }: TimeFlags): When {
  const { at, on } = splitDay(flags)
  const timed = at === undefined ? when : withTime(when, paddedTime('--at', at))
  if (on === undefined) return timed
  const isOnce = kindOf(when) === 'once' && !repeat
  const [time = ''] = timesOf(timed)
  const date = isOnce ? readDay(on, time) : dateIn(on)
  if (date !== undefined) return withDate(timed, date)
  if (isOnce)
    throw usageError(
      `--on: expected a date such as 2026-11-30 or a day such as sat, as it fires once, got ${on}; ` +
        'with --repeat it fires on all such days',
    )
  // A single date is no choice of months and years for what repeats.
  const months = kindOf(when) === 'once' ? { years: full.years, months: full.months } : {}
  return { ...timed, ...months, ...dayMasks(on) }
}

/** Of what fires once: it would never do so. */
export function refusePast(command: string, when: When): void {
  if (kindOf(when) !== 'once') return
  const [time = ''] = timesOf(when)
  if (new Date(`${dateOf(when)}T${time}`).getTime() <= Date.now())
    throw usageError(`${command}: expected a time that is to come, got ${dateOf(when)} ${time}: with --on another day`)
}

/** `sat 22:30` and `2026-11-30 22:30` as `--at` are a day and a time. */
export function splitDay({ at, on }: Pick<TimeFlags, 'at' | 'on'>): Pick<TimeFlags, 'at' | 'on'> {
  const [, day, time] = /^(\S+)[ T](\d+:\d+)$/.exec(at ?? '') ?? []
  if (day === undefined) return { at, on }
  if (on !== undefined) throw usageError(`--at: expected a time such as 22:30 beside --on, got ${at}`)
  return { at: time, on: day }
}

/** `6:30` is `06:30`. */
export function paddedTime(option: string, text: string): string {
  if (!/^([01]?\d|2[0-3]):[0-5]\d$/.test(text))
    throw usageError(`${option}: expected a time such as 22:30, got ${text}`)
  return text.padStart('hh:mm'.length, '0')
}

/** The date that is meant: it, or of a day of the week the next one on which `time` is to come. */
export function readDay(on: string, time: string): string | undefined {
  const weekDay = weekDayNamed(on)
  if (weekDay === -1) return dateIn(on)
  const day = new Date()
  const isOver = time <= day.toTimeString().slice(0, 'hh:mm'.length)
  const first = (weekDay - weekDayOf(day) + 7) % 7
  day.setDate(day.getDate() + (first === 0 && isOver ? 7 : first))
  return isoDate(day)
}

/** Monday is 0. */
const weekDayOf = (day: Date) => (day.getDay() + 6) % 7

function dateIn(on: string): string | undefined {
  if (!/^20[1-3]\d-\d\d-\d\d$/.test(on)) return undefined
  const date = new Date(`${on}T12:00`)
  // A 31st of February would be a day of March.
  if (date.getDate() !== Number(on.slice(-2))) throw usageError(`--on: there is no day ${on}`)
  return on
}

const weekDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shortLength = 'mon'.length

/** `sat`, `Saturday`; -1 for another text. */
const weekDayNamed = (text: string) =>
  text.length < shortLength ? -1 : weekDays.findIndex(name => name.startsWith(text.toLowerCase()))

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
        `--on: expected ${weekDays.map(name => name.slice(0, shortLength)).join(', ')}, weekdays, weekend, every day, 1 to 31, a range such as mon-fri, or a date, got ${word}`,
      )
    masks[first.key] |= rangeMask(first.index, last.index, first.key === 'days' ? 31 : weekDays.length)
  }
  return masks
}

function dayOf(text: string): { key: 'days' | 'week_days'; index: number } | undefined {
  const weekDay = weekDayNamed(text)
  if (weekDay !== -1) return { key: 'week_days', index: weekDay }
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
