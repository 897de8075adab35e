// The points of charts: the mean of each hour, or of each day where there would be too many.
import type { Rights, ViewChart } from 'fleet-host'
import { hourSeconds, startOfDay } from './_usage-hours.ts'
import { mayRead, type Period, readSlots, type Slot } from './_usage-rows.ts'
import type { Context } from './_usage-schemas.ts'

/** As many as a chart has. */
const [mostPoints, mostSeries] = [1000, 20]
const hour = hourSeconds * 1000

/** `seriesOf`: the titles of the series that a slot adds to, and how much it does. Those with most come first. */
export async function chartOf(
  context: Context,
  rights: Rights,
  period: Period,
  seriesOf: (slot: Slot) => readonly (readonly [title: string, value: number])[],
): Promise<Pick<ViewChart, 'series' | 'gap'>> {
  const isLong = (period.until - period.from) / hour > mostPoints
  const series = new Map<string, Map<string, number>>()
  for (const slot of await readSlots(context, period, isLong ? 'day' : 'hour', mayRead(rights))) {
    // Of an hour with a gap only what was observed counts; without anything it is one.
    if (slot.observed === 0) continue
    for (const [title, value] of seriesOf(slot)) {
      const points = series.get(title) ?? new Map<string, number>()
      points.set(slot.time, (points.get(slot.time) ?? 0) + value)
      series.set(title, points)
    }
  }
  const sorted = Array.from(series, ([title, points]) => ({
    title,
    sum: [...points.values()].reduce((sum, value) => sum + value, 0),
    points: Array.from(points, ([time, value]) => ({
      time: isLong ? new Date(startOfDay(time)).toISOString() : time,
      value: Math.round(value * 100) / 100,
    })).slice(-mostPoints),
  })).sort((one, other) => other.sum - one.sum)
  return {
    series: sorted.slice(0, mostSeries).map(({ title, points }) => ({ title, points })),
    gap: isLong ? 36 * hour : 1.5 * hour,
  }
}
