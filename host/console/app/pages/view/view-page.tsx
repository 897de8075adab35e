// A view of a module with a page of its own: a table or a chart.
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { route } from '../../state/route.ts'
import { viewPages } from '../../state/views.ts'
import { ChartPage } from './chart-page.tsx'
import { TablePage } from './table-page.tsx'

export function ViewPage() {
  const name = route.value.rest.join('/')
  const entry = viewPages.value.find(each => each.name === name)
  if (entry?.view === 'page') return <TablePage key={name} entry={entry} />
  if (entry) return <ChartPage key={name} entry={entry} />
  return (
    <>
      <PageHead title={t('nav.view')} />
      <p class="card" role="status">
        {t('views.unknown', { name })}
      </p>
    </>
  )
}
