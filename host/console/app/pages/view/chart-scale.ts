// Where the points of a chart are drawn, and which values and times its axes name.
import type { ViewAnswer } from '../../../../contract/answers.ts'

export type Chart = ViewAnswer<'chart'>

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
  const values = valuesOf(all.length === 0 ? [0, 1] : all)
  const [low = 0, high = 1] = [values[0], values.at(-1)]
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const [inner, tall] = [width - margin.left - margin.right, height - margin.top - margin.bottom]
  const count = Math.max(2, Math.min(7, Math.floor(inner / 110)))
  return {
    x: time => margin.left + ((time - start) / (end - start || 1)) * inner,
    y: value => margin.top + tall - ((value - low) / (high - low || 1)) * tall,
    values,
    times: Array.from({ length: count }, (_, index) => start + ((end - start) * index) / (count - 1)),
  }
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
