// A chart with its legend, the same as a table, and as CSV.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ViewPoint } from '../../../contract/answers.ts'
import { formatNumber, formatTime, type MessageKey, t } from '../language/translate.ts'
import { Button } from './button.tsx'
import { ChartLines, lineStyle } from './chart-lines.tsx'
import type { Chart } from './chart-scale.ts'
import { type Column, DataTable } from './data-table.tsx'

/** Hours. */
const periods = [
  { hours: 1, words: 'views.hour' },
  { hours: 24, words: 'views.day' },
  { hours: 7 * 24, words: 'views.week' },
  { hours: 30 * 24, words: 'views.month' },
] as const satisfies { hours: number; words: MessageKey }[]

/** Chooses how long a time is shown. */
export function PeriodChoice({ hours, least = 0 }: { hours: Signal<number>; least?: number }) {
  return (
    <fieldset class="row" aria-label={t('views.period')}>
      {periods
        .filter(({ hours: each }) => each >= least)
        .map(({ hours: each, words }) => (
          <Button
            key={each}
            text={t(words)}
            class="chip"
            aria-pressed={hours.value === each}
            press={() => (hours.value = each)}
          />
        ))}
    </fieldset>
  )
}

interface ChartProps {
  /** Of the file, without extension. */
  name: string
  title: string
  chart: Chart
  /** Said when there are no points. */
  empty?: MessageKey
}

export function ChartFigure({ name, title, chart, empty = 'views.noPoints' }: ChartProps) {
  const pointed = useSignal<number | undefined>(undefined)
  const { series, unit = '' } = chart
  if (series.every(({ points }) => points.length === 0)) return <p class="empty-state">{t(empty)}</p>
  return (
    <>
      <ChartLines title={title} chart={chart} pointed={pointed} />
      <Legend chart={chart} pointed={pointed} />
      <AsTable>
        {() => (
          <DataTable
            label={t('views.asTable')}
            rows={rowsOf(chart)}
            keyOf={({ time }) => time}
            columns={[
              { id: 'time', head: t('audit.time'), text: ({ time }) => formatTime(time), value: ({ time }) => time },
              ...series.map(({ title: head }, at) => valueColumn(unit === '' ? head : `${head} (${unit})`, at)),
            ]}
            empty={t(empty)}
            csvName={name}
          />
        )}
      </AsTable>
    </>
  )
}

/** What a picture shows, for those who do not see it, or want its numbers: made when it is opened. */
export function AsTable({ children }: { children(): ComponentChildren }) {
  const isOpen = useSignal(false)
  return (
    <details onToggle={event => (isOpen.value = event.currentTarget.open)}>
      <summary>{t('views.asTable')}</summary>
      {isOpen.value && children()}
    </details>
  )
}

/** The lines by name, with the value where the pointer is, or the last one. */
function Legend({ chart: { series, unit = '' }, pointed }: { chart: Chart; pointed: Signal<number | undefined> }) {
  const time = pointed.value
  return (
    <ul class="legend row texts" aria-label={t('views.legend')}>
      {series.map(({ title, points, style }, index) => {
        const point = time === undefined ? points.at(-1) : nearest(points, time)
        return (
          <li key={title}>
            <SeriesSign name={style?.name ?? index} isArea={style?.isArea} />
            {title} {point && <b>{`${formatNumber(point.value)} ${unit}`.trim()}</b>}
          </li>
        )
      })}
    </ul>
  )
}

/** What a line or an area looks like. */
export function SeriesSign({ name, isArea = false }: { name: string | number; isArea?: boolean | undefined }) {
  return (
    <svg width="26" height="10" aria-hidden="true">
      {isArea ? (
        <rect class="area" data-style={name} width="26" height="10" />
      ) : (
        <line {...lineStyle(name)} x1="1" x2="25" y1="5" y2="5" />
      )}
    </svg>
  )
}

const distance = (point: ViewPoint, time: number) => Math.abs(Date.parse(point.time) - time)

const nearest = (points: readonly ViewPoint[], time: number): ViewPoint | undefined =>
  points.reduce<ViewPoint | undefined>(
    (best, point) => (best && distance(best, time) <= distance(point, time) ? best : point),
    undefined,
  )

interface ChartRow {
  time: string
  /** Of the lines, in their order. */
  values: (number | undefined)[]
}

const valueColumn = (head: string, at: number): Column<ChartRow> => ({
  id: String(at),
  head,
  isNumber: true,
  text: ({ values: { [at]: value } }) => (value === undefined ? '–' : formatNumber(value)),
  value: ({ values }) => values[at],
})

/** The values of all lines by time. */
function rowsOf({ series }: Chart): ChartRow[] {
  const times = new Set(series.flatMap(({ points }) => points.map(({ time }) => time)))
  const byTime = series.map(({ points }) => new Map(points.map(({ time, value }) => [time, value])))
  return [...times].sort().map(time => ({ time, values: byTime.map(values => values.get(time)) }))
}
