// Where the points of a chart are drawn, and which values and times its axes name.
import type { ViewAnswer, ViewPoint } from '../../../contract/answers.ts'

/** What the history counts a computer as; areas of a chart stand on each other in this order. */
export const conditionStyles = ['in_use', 'free', 'busy', 'waking', 'off'] as const

export interface Series {
  title: string
  points: readonly ViewPoint[]
  /** Default: a line in one of the styles by its place. Areas are stacked, the first one at the bottom: they have the same times. */
  style?: { name: string; isArea?: boolean }
}

export interface Chart extends Pick<ViewAnswer<'chart'>, 'from' | 'until' | 'gap' | 'unit'> {
  series: readonly Series[]
}

export interface Box {
  width: number
  height: number
}

/** Pixels around the lines, for the words of the axes. */
export const margin = { left: 52, right: 12, top: 10, bottom: 24 }

export interface Scale {
  x(time: number): number
  y(value: number): number
  values: readonly number[]
  times: readonly number[]
}

export function scaleOf({ from, until, series }: Chart, { width, height }: Box): Scale {
  const all = series.flatMap(({ points }) => points.map(({ value }) => value))
  if (series.some(({ style }) => style?.isArea)) all.push(0)
  const values = valuesOf(all.length === 0 ? [0, 1] : all)
  const [low = 0, high = 1] = [values[0], values.at(-1)]
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const [inner, tall] = [width - margin.left - margin.right, height - margin.top - margin.bottom]
  return {
    x: time => margin.left + ((time - start) / (end - start || 1)) * inner,
    y: value => margin.top + tall - ((value - low) / (high - low || 1)) * tall,
    values,
    times: timesOf(start, end, Math.max(3, Math.min(8, Math.floor(inner / 80)))),
  }
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const timeSteps = [
  ...[5, 10, 15, 30].map(minutes => minutes * minute),
  ...[1, 2, 3, 6, 12].map(hours => hours * hour),
  ...[1, 2, 5, 10, 30].map(days => days * day),
]

/** Round times of the browser's time zone, so many at most. */
function timesOf(start: number, end: number, most: number): number[] {
  const step = timeSteps.find(each => (end - start) / each <= most) ?? (end - start) / most
  const times: number[] = []
  const midnight = new Date(start)
  midnight.setHours(0, 0, 0, 0)
  // A day is not always 24 hours long.
  const days = Math.max(1, Math.round(step / day))
  for (let at = new Date(midnight); at.getTime() <= end; at.setDate(at.getDate() + days)) {
    const next = step >= day ? at.getTime() + 1 : new Date(at).setDate(at.getDate() + 1)
    for (let time = at.getTime(); time < next; time += step) if (time >= start && time <= end) times.push(time)
  }
  return times
}

/** The values of each area are those on which it stands, too. */
export function stackOf(series: readonly Series[]): Series[] {
  let below: number[] = []
  return series.map(each => {
    if (!each.style?.isArea) return each
    const points = each.points.map(({ time, value }, at) => ({ time, value: value + (below[at] ?? 0) }))
    below = points.map(({ value }) => value)
    return { ...each, points }
  })
}

/** Round values around all that are drawn, the smallest first. A chart of numbers above 0 begins at 0 unless they are far from it. */
function valuesOf(all: readonly number[]): number[] {
  const largest = all.reduce((a, b) => Math.max(a, b))
  const smallest = all.reduce((a, b) => Math.min(a, b))
  const low = smallest >= 0 && smallest < largest / 2 ? 0 : smallest
  const range = largest - low || Math.abs(largest) || 1
  const step = roundStep(range / 4)
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(largest / step))
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** 1, 2 or 5 times a power of ten, not smaller than `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least * 0.999) ?? least
}
