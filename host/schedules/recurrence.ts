// Recurrence of schedules: bit masks in local time, and the instants at which they fire.
import type { Masks } from '../../stores/store.ts'

const firstYear = 2010
const minuteMilliseconds = 60_000
const dayMilliseconds = 86_400_000

/** The masks of one minute, stored for a schedule without `when`. A year without a bit gives masks that never fire. */
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

/** The first firing later than `after`, a whole minute; undefined when the masks do not fire again. */
export function nextFiring(masks: Masks, after: Date): Date | undefined {
  // `Date.UTC` would carry a 13th hour or a 60th minute over into a time that was not chosen.
  if (masks.am_pm > 1 || masks.minutes > 59) return undefined
  // A clock change never reverses the first instants of two local times: the first match is the next firing.
  for (const local of localTimes(masks, toLocal(after.getTime()))) {
    const instant = toInstant(local)
    if (instant > after.getTime()) return new Date(instant)
  }
  return undefined
}

/** At most `count` firings later than `after`, in order. */
export function nextFirings(masks: Masks, after: Date, count: number): Date[] {
  const times: Date[] = []
  while (times.length < count) {
    const next = nextFiring(masks, times.at(-1) ?? after)
    if (!next) break
    times.push(next)
  }
  return times
}

/** The chosen local times in order, from the day of `from` on, as milliseconds in the form of `toLocal`. */
function* localTimes(masks: Masks, from: number): Generator<number> {
  const months = indexesOf(masks.months, 12)
  const hours = indexesOf(masks.hours, 12).map(hour => hour + 12 * masks.am_pm)
  for (const year of indexesOf(masks.years, 32).map(index => firstYear + index)) {
    for (const month of months) {
      if (Date.UTC(year, month + 1) <= from) continue
      for (const day of daysOf(masks, year, month)) {
        if (Date.UTC(year, month, day) + dayMilliseconds <= from) continue
        for (const hour of hours) yield Date.UTC(year, month, day, hour, masks.minutes)
      }
    }
  }
}

/** The days of a month, counted from 1, that are chosen by day, by day of the week or by week. */
function daysOf({ days, week_days, weeks }: Masks, year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  // Weeks begin on Sunday, which Date counts as 0: so many days of the first week belong to the month before.
  const daysBefore = new Date(Date.UTC(year, month)).getUTCDay()
  const weekOf = (day: number) => Math.floor((daysBefore + day - 1) / 7)
  const isChosen = (day: number) =>
    hasBit(days, day - 1) ||
    // Bit 0 is Monday.
    hasBit(week_days, (daysBefore + day + 5) % 7) ||
    // Bit 5 is the last week of the month, which is also the only bit of a sixth week.
    hasBit(weeks, weekOf(day)) ||
    (hasBit(weeks, 5) && weekOf(day) === weekOf(length))
  return Array.from({ length }, (_, index) => index + 1).filter(isChosen)
}

/** The local time of an instant, as the milliseconds of the same time in UTC: these grow evenly over clock changes. */
function toLocal(instant: number): number {
  return instant - new Date(instant).getTimezoneOffset() * minuteMilliseconds
}

/** The first instant of a local time; of a skipped time, the first instant with a later local time. */
function toInstant(local: number): number {
  const fields = new Date(local)
  const [year, month, day] = [fields.getUTCFullYear(), fields.getUTCMonth(), fields.getUTCDate()]
  // `Date` maps an ambiguous local time to the earlier instant and shifts a skipped one forward by the gap.
  const instant = new Date(year, month, day, fields.getUTCHours(), fields.getUTCMinutes()).getTime()
  const gap = toLocal(instant) - local
  let [before, after] = [instant - gap, instant]
  while (after - before > minuteMilliseconds) {
    const middle = before + Math.floor((after - before) / 2 / minuteMilliseconds) * minuteMilliseconds
    if (toLocal(middle) > local) after = middle
    else before = middle
  }
  return after
}

const hasBit = (mask: number, index: number) => ((mask >>> index) & 1) === 1

/** The indexes, below `count`, of the bits that are set. */
function indexesOf(mask: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index).filter(index => hasBit(mask, index))
}

// Shift counts are taken modulo 32 and bit 31 is the sign: without care 2042 would be 2010, and 2041 negative.
const bit = (index: number) => (index >= 0 && index < 32 ? (1 << index) >>> 0 : 0)

/** The first time after `now` when clocks show `text`, such as `06:30`, in milliseconds since 1970. */
export function nextTime(text: string, now: number): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  const time = new Date(now)
  time.setHours(hours, minutes, 0, 0)
  if (time.getTime() <= now) time.setDate(time.getDate() + 1)
  return time.getTime()
}
