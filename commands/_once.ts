// Times of the day, in local time of the daemon, and schedules that fire once.
import type { Masks } from 'fleet-host'

const firstYear = 2010

/** The first time after `now` when clocks show `text`, such as `22:00`. */
export function nextTimeOfDay(text: string, now: Date): Date {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  const time = new Date(now)
  time.setHours(hours, minutes, 0, 0)
  if (time <= now) time.setDate(time.getDate() + 1)
  return time
}

/** The masks of this minute only. */
export function masksOfMinute(time: Date): Masks {
  const hours = time.getHours()
  return {
    years: (1 << (time.getFullYear() - firstYear)) >>> 0,
    months: 1 << time.getMonth(),
    weeks: 0,
    week_days: 0,
    days: 1 << (time.getDate() - 1),
    hours: 1 << (hours % 12),
    am_pm: hours < 12 ? 0 : 1,
    minutes: time.getMinutes(),
  }
}

/** `2026-11-23 22:00`, for names. */
export function minuteText(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
