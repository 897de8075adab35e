// A view that is a chart.
import { useSignal } from '@preact/signals'
import type { ViewEntry } from '../../../../contract/answers.ts'
import { ChartFigure, PeriodChoice } from '../../parts/chart-card.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useView, viewPath } from '../../state/views.ts'

export function ChartPage({ entry: { name, title, summary } }: { entry: ViewEntry }) {
  const hours = useSignal(24)
  return (
    <>
      <PageHead title={title}>
        <PeriodChoice hours={hours} />
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
    <ResourceView resource={resource}>
      {chart => (
        <section class="card">
          <ChartFigure name={name} title={title} chart={chart} />
        </section>
      )}
    </ResourceView>
  )
}
