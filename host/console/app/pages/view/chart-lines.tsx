// The lines of a chart, drawn as wide as the page; what the pointer is over is said in the legend.
import { type Signal, useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber, language } from '../../language/translate.ts'
import { type Chart, margin, type Scale, scaleOf } from './chart-scale.ts'

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
  const scale = scaleOf(chart, { width: width.value, height })
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
      onPointerLeave={() => {
        pointed.value = undefined
      }}
    >
      <svg width={width.value} height={height} role="img" aria-labelledby={heading}>
        <title id={heading}>{title}</title>
        <Axes chart={chart} scale={scale} width={width.value} />
        {chart.series.map(({ title: name, points }, index) => (
          <Line key={name} index={index} points={points} gap={chart.gap} scale={scale} />
        ))}
        {pointed.value !== undefined && (
          <line
            class="pointed"
            x1={scale.x(pointed.value)}
            x2={scale.x(pointed.value)}
            y1={margin.top}
            y2={height - margin.bottom}
          />
        )}
      </svg>
    </div>
  )
}

type Points = Chart['series'][number]['points']

interface LineProps {
  index: number
  points: Points
  gap: number | undefined
  scale: Scale
}

function Line({ index, points, gap, scale }: LineProps) {
  return (
    <g>
      {partsOf(points, gap).map(part => {
        const at = part.map(({ time, value }) => [scale.x(Date.parse(time)), scale.y(value)] as const)
        const [first] = at
        if (at.length === 1 && first)
          return <circle class="series" data-series={index % seriesStyles} cx={first[0]} cy={first[1]} r={3} />
        const line = at.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
        return <polyline class="series" data-series={index % seriesStyles} points={line} />
      })}
    </g>
  )
}

/** The points that are joined. */
function partsOf(points: Points, gap = Number.POSITIVE_INFINITY): Points[] {
  const parts: Points[] = []
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

/** The style sheet has as many colours and dashes. */
export const seriesStyles = 8

function Axes({ chart: { from, until }, scale, width }: { chart: Chart; scale: Scale; width: number }) {
  const isLong = Date.parse(until) - Date.parse(from) > 2 * dayMilliseconds
  const words = (time: number) =>
    isLong
      ? new Date(time).toLocaleDateString(language.value, { day: 'numeric', month: 'short' })
      : new Date(time).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit' })
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
      {scale.times.map((time, index) => (
        <text
          key={time}
          x={scale.x(time)}
          y={height - 6}
          text-anchor={index === 0 ? 'start' : index === scale.times.length - 1 ? 'end' : 'middle'}
        >
          {words(time)}
        </text>
      ))}
    </g>
  )
}
