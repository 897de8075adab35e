// Masks for tests of recurrence, and the instants at which they fire.
import { nextFirings } from '../../host/schedules/recurrence.ts'
import type { Masks } from '../../stores/types.ts'

export const noMasks: Masks = { years: 0, months: 0, weeks: 0, week_days: 0, days: 0, hours: 0, am_pm: 0, minutes: 0 }
export const everyDay: Masks = { ...noMasks, years: 2 ** 32 - 1, months: 4095, days: 2 ** 31 - 1 }

export const bits = (...indices: number[]): number => indices.reduce((mask, index) => mask + 2 ** index, 0)
export const yearBits = (...years: number[]): number => bits(...years.map(year => year - 2010))

/** Every day at a time such as `06:30`. */
export function daily(time: string): Masks {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { ...everyDay, hours: bits(hours % 12), am_pm: hours < 12 ? 0 : 1, minutes }
}

/** Node reads the variable again whenever it is set. */
export function setTimeZone(zone: string): void {
  process.env.TZ = zone
}

/** At most `count` next firings in UTC, without seconds when these are 0. */
export function firings(masks: Masks, after: string, count: number): string[] {
  return nextFirings(masks, new Date(after), count).map(time => time.toISOString().replace(':00.000Z', 'Z'))
}
