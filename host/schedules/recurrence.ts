// The calendar of schedules: an instant as bit masks, and when masks fire next, both in local time.
import type { Masks } from '../../stores/store.ts'

const firstYear = 2010
const minuteMilliseconds = 60_000
const dayMilliseconds = 86_400_000

/** What is stored without `when`: this one minute. A year that has no bit gives masks that never fire. */
export function masksOf(instant: Date): Masks {
  const hour = instant.getHours()
  return {
    years: bit(instant.getFullYear() - firstYear),
    months: bit(instant.getMonth()),
    weeks: 0,
    week_days: 0,
    days: bit(instant.getDate() - 1),
    hours: bit(hour % 12),
    am_pm: hour < 12 ? 0 : 1,
    minutes: instant.getMinutes(),
  }
}

/** The first firing later than `after`, a whole minute. Undefined: never again, also when no day is chosen at all. */
export function nextFiring(masks: Masks, after: Date): Date | undefined {
  // Counted on, a 13th hour or 60th minute would fire at a time that nobody chose.
  if (masks.am_pm > 1 || masks.minutes > 59) return undefined
  // Daylight saving never lets an earlier local time have the later first instant: the first hit is the next firing.
  for (const local of localTimes(masks, localOf(after.getTime()))) {
    const instant = instantOf(local)
    if (instant > after.getTime()) return new Date(instant)
  }
  return undefined
}

/** The chosen local times in their order, from the day of `from` on; all are milliseconds as `localOf` gives them. */
function* localTimes(masks: Masks, from: number): Generator<number> {
  const months = bitsOf(masks.months, 12)
  const hours = bitsOf(masks.hours, 12).map(hour => hour + 12 * masks.am_pm)
  for (const year of bitsOf(masks.years, 32).map(index => firstYear + index)) {
    for (const month of months) {
      if (Date.UTC(year, month + 1) <= from) continue
      for (const day of daysOf(masks, year, month)) {
        if (Date.UTC(year, month, day) + dayMilliseconds <= from) continue
        for (const hour of hours) yield Date.UTC(year, month, day, hour, masks.minutes)
      }
    }
  }
}

/** The days of a month that are chosen in one of three ways, counted from 1. */
function daysOf({ days, week_days, weeks }: Masks, year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  // What the month's first week lacks, as weeks begin on Sunday, which Date counts as 0.
  const lacking = new Date(Date.UTC(year, month)).getUTCDay()
  const weekOf = (day: number) => Math.floor((lacking + day - 1) / 7)
  const isChosen = (day: number) =>
    has(days, day - 1) ||
    has(week_days, (lacking + day + 5) % 7) ||
    // A sixth week has the last week's bit, and it is the last.
    has(weeks, weekOf(day)) ||
    (has(weeks, 5) && weekOf(day) === weekOf(length))
  return Array.from({ length }, (_, index) => index + 1).filter(isChosen)
}

/** Local time as if it were UTC: milliseconds that can be compared and counted on across a change of the clock. */
function localOf(instant: number): number {
  return instant - new Date(instant).getTimezoneOffset() * minuteMilliseconds
}

/** The first instant that has a local time; of one that is skipped, the first instant that has a later one. */
function instantOf(local: number): number {
  const fields = new Date(local)
  const [year, month, day] = [fields.getUTCFullYear(), fields.getUTCMonth(), fields.getUTCDate()]
  // Date takes the first of two instants, and a skipped time as far behind the gap as it lies in the gap.
  const read = new Date(year, month, day, fields.getUTCHours(), fields.getUTCMinutes()).getTime()
  const gap = localOf(read) - local
  let [before, behind] = [read - gap, read]
  while (behind - before > minuteMilliseconds) {
    const middle = before + Math.floor((behind - before) / 2 / minuteMilliseconds) * minuteMilliseconds
    if (localOf(middle) > local) behind = middle
    else before = middle
  }
  return behind
}

const has = (mask: number, index: number) => ((mask >>> index) & 1) === 1

function bitsOf(mask: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index).filter(index => has(mask, index))
}

// Shifts count modulo 32 and bit 31 is the sign: 2042 would be 2010, and 2041 negative.
const bit = (index: number) => (index >= 0 && index < 32 ? (1 << index) >>> 0 : 0)
