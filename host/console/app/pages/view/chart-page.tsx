// A view that is a chart: lines with a legend, the same as a table, and as CSV.
import { type Signal, useSignal } from '@preact/signals'
import type { ViewEntry, ViewPoint } from '../../../../contract/answers.ts'
import { formatNumber, formatTime, type MessageKey, t } from '../../language/translate.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useView, viewPath } from '../../state/views.ts'
import { ChartLines, seriesStyles } from './chart-lines.tsx'
import type { Chart } from './chart-scale.ts'

/** Hours. */
const periods = [
  { hours: 1, words: 'views.hour' },
  { hours: 24, words: 'views.day' },
  { hours: 7 * 24, words: 'views.week' },
  { hours: 30 * 24, words: 'views.month' },
] as const satisfies { hours: number; words: MessageKey }[]

export function ChartPage({ entry: { name, title, summary } }: { entry: ViewEntry }) {
  const hours = useSignal(24)
  return (
    <>
      <PageHead title={title}>
        <fieldset class="chips" aria-label={t('views.period')}>
          {periods.map(({ hours: each, words }) => (
            <button
              key={each}
              type="button"
              class="chip"
              aria-pressed={hours.value === each}
              onClick={() => {
                hours.value = each
              }}
            >
              {t(words)}
            </button>
          ))}
        </fieldset>
      </PageHead>
      <p class="hint">{summary}</p>
      <Period key={hours.value} name={name} title={title} hours={hours.value} />
    </>
  )
}

/** The daemon ends a chart at the present time, so the question says only how long it is. */
function Period({ name, title, hours }: { name: string; title: string; hours: number }) {
  const resource = useView<'chart'>(`${viewPath(name)}?length=${hours * 3600}`)
  return (
    <ResourceView resource={resource}>{chart => <ChartCard name={name} title={title} chart={chart} />}</ResourceView>
  )
}

function ChartCard({ name, title, chart }: { name: string; title: string; chart: Chart }) {
  const pointed = useSignal<number | undefined>(undefined)
  const isOpen = useSignal(false)
  const rows = rowsOf(chart)
  const { series, unit = '' } = chart
  return (
    <section class="card">
      <ChartLines title={title} chart={chart} pointed={pointed} />
      <Legend chart={chart} pointed={pointed} />
      {series.every(({ points }) => points.length === 0) && <p class="hint">{t('views.noPoints')}</p>}
      <details
        onToggle={event => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>{t('views.asTable')}</summary>
        {isOpen.value && (
          <DataTable
            label={t('views.asTable')}
            rows={rows}
            keyOf={({ time }) => time}
            columns={[
              { id: 'time', head: t('views.time'), text: ({ time }) => formatTime(time), value: ({ time }) => time },
              ...series.map(({ title: head }, at) => valueColumn(unit === '' ? head : `${head} (${unit})`, at)),
            ]}
            empty={t('views.noPoints')}
            csvName={name}
          />
        )}
      </details>
    </section>
  )
}

/** The lines by name, with the value where the pointer is, or the last one. */
function Legend({ chart: { series, unit = '' }, pointed }: { chart: Chart; pointed: Signal<number | undefined> }) {
  const time = pointed.value
  return (
    <div>
      <ul class="legend" aria-label={t('views.legend')}>
        {series.map(({ title, points }, index) => {
          const point = time === undefined ? points.at(-1) : nearest(points, time)
          return (
            <li key={title}>
              <svg width="26" height="10" aria-hidden="true">
                <line class="series" data-series={index % seriesStyles} x1="1" x2="25" y1="5" y2="5" />
              </svg>
              {title} {point && <b>{`${formatNumber(point.value)} ${unit}`.trim()}</b>}
            </li>
          )
        })}
      </ul>
    </div>
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
