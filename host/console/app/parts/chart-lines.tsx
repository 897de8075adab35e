// The lines of a chart, drawn as wide as the page; what the pointer is over is said in the legend.
import { type Signal, useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { ViewPoint } from '../../../contract/answers.ts'
import { formatNumber, locale } from '../language/translate.ts'
import { type Chart, margin, type Scale, type Series, scaleOf, stackOf } from './chart-scale.ts'

const height = 300
const dayMilliseconds = 86_400_000

interface ChartLinesProps {
  title: string
  chart: Chart
  /** Milliseconds since 1970 of where the pointer is. */
  pointed: Signal<number | undefined>
}

export function ChartLines({ title, chart, pointed }: ChartLinesProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(640)
  const heading = useId()
  useLayoutEffect(() => {
    if (!box.current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry) width.value = Math.max(240, Math.round(entry.contentRect.width))
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const series = stackOf(chart.series)
  const scale = scaleOf({ ...chart, series }, { width: width.value, height })
  const [start, end] = [Date.parse(chart.from), Date.parse(chart.until)]
  const inner = width.value - margin.left - margin.right
  const point = (pixels: number) => {
    const part = (pixels - margin.left) / inner
    pointed.value = part < 0 || part > 1 ? undefined : start + part * (end - start)
  }
  return (
    <div
      ref={box}
      class="chart"
      onPointerMove={event => point(event.clientX - event.currentTarget.getBoundingClientRect().left)}
      onPointerLeave={() => (pointed.value = undefined)}
    >
      <svg width={width.value} height={height} role="img" aria-labelledby={heading}>
        <title id={heading}>{title}</title>
        <Axes chart={chart} scale={scale} width={width.value} />
        {series.map((each, index) => (
          <Line key={each.title} index={index} series={each} below={series[index - 1]} gap={chart.gap} scale={scale} />
        ))}
        <Pointed chart={chart} time={pointed.value} scale={scale} width={width.value} />
      </svg>
    </div>
  )
}

interface LineProps {
  index: number
  series: Series
  /** On which an area stands. */
  below: Series | undefined
  gap: number | undefined
  scale: Scale
}

function Line({ index, series: { points, style }, below, gap, scale }: LineProps) {
  return (
    <g>
      {partsOf(points, gap).map(part => {
        const at = part.map(({ time, value }) => pointOf(scale, time, value))
        const [first] = at
        if (style?.isArea) return <Area part={part} top={at} below={below} style={style.name} scale={scale} />
        const look = lineStyle(style?.name ?? index)
        if (at.length === 1 && first) return <circle {...look} cx={first[0]} cy={first[1]} r={3} />
        return <polyline {...look} points={at.join(' ')} />
      })}
    </g>
  )
}

type Point = readonly [x: string, y: string]

interface AreaProps {
  part: readonly ViewPoint[]
  top: readonly Point[]
  below: Series | undefined
  style: string
  scale: Scale
}

/** One value alone is as wide as can be seen. */
function Area({ part, top, below, style, scale }: AreaProps) {
  const floor = new Map(below?.points.map(({ time, value }) => [time, value]))
  const bottom = part.map(({ time }) => pointOf(scale, time, floor.get(time) ?? 0)).reverse()
  const widened = top.length > 1 ? [] : [...bottom, ...top].map(([x, y]): Point => [String(Number(x) + 3), y])
  return <polygon class="area" data-style={style} points={[...top, ...bottom, ...widened].join(' ')} />
}

const pointOf = (scale: Scale, time: string, value: number): Point => [
  scale.x(Date.parse(time)).toFixed(1),
  scale.y(value).toFixed(1),
]

/** The points that are joined. */
function partsOf(points: Series['points'], gap = Number.POSITIVE_INFINITY): ViewPoint[][] {
  const parts: ViewPoint[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const time = Date.parse(point.time)
    const part = parts.at(-1)
    if (part && time - last <= gap) part.push(point)
    else parts.push([point])
    last = time
  }
  return parts
}

/** Classes of the style sheet, and dashes. */
const lineStyles = [
  { class: 'series' },
  { class: 'series good', 'stroke-dasharray': '7 3' },
  { class: 'series violet', 'stroke-dasharray': '2 3' },
  { class: 'series warn' },
  { class: 'series bad', 'stroke-dasharray': '7 3' },
  { class: 'series blue', 'stroke-dasharray': '2 3' },
  { class: 'series quiet' },
  { class: 'series', 'stroke-dasharray': '9 3 2 3' },
]

/** By the place of a line, or its colour. */
export const lineStyle = (style: number | string) =>
  typeof style === 'number' ? lineStyles[style % lineStyles.length] : { class: `series ${style}` }

interface PointedProps {
  chart: Chart
  time: number | undefined
  scale: Scale
  width: number
}

/** Where the pointer is, whose values the legend has. */
function Pointed({ chart, time, scale, width }: PointedProps) {
  if (time === undefined) return null
  const x = scale.x(time)
  const isRight = x > width / 2
  return (
    <g>
      <line class="pointed" x1={x} x2={x} y1={margin.top} y2={height - margin.bottom} />
      <text
        class="pointed-time"
        x={isRight ? x - 6 : x + 6}
        y={margin.top + 10}
        text-anchor={isRight ? 'end' : 'start'}
      >
        {timeWords(chart)(time, true)}
      </text>
    </g>
  )
}

/** Says times as long as the chart needs it. */
const timeWords =
  ({ from, until }: Chart) =>
  (time: number, isExact = false): string => {
    const isLong = Date.parse(until) - Date.parse(from) > 2 * dayMilliseconds
    const date = isLong && ({ weekday: 'short', day: 'numeric', month: 'short' } as const)
    const clock = (!isLong || isExact) && ({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
    return new Date(time).toLocaleString(locale.value, { ...date, ...clock })
  }

function Axes({ chart, scale, width }: { chart: Chart; scale: Scale; width: number }) {
  const words = timeWords(chart)
  return (
    <g class="axes">
      {scale.values.map(value => (
        <g key={value}>
          <line x1={margin.left} x2={width - margin.right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={margin.left - 6} y={scale.y(value) + 4} text-anchor="end">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {scale.times.map(time => (
        <text key={time} x={scale.x(time)} y={height - 6} text-anchor={scale.x(time) > width - 40 ? 'end' : 'middle'}>
          {words(time)}
        </text>
      ))}
    </g>
  )
}
