// The views of modules that have a page of their own: tables and charts.
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { route } from '../../state/route.ts'
import { viewPages } from '../../state/views.ts'
import { ChartPage } from './chart-page.tsx'
import { TablePage } from './table-page.tsx'

export function ViewPage() {
  const name = route.value.rest.join('/')
  const [first] = viewPages.value
  const entry = name === '' ? first : viewPages.value.find(each => each.name === name)
  return (
    <>
      {entry?.view === 'page' && <TablePage key={entry.name} entry={entry} />}
      {entry?.view === 'chart' && <ChartPage key={entry.name} entry={entry} />}
      {!entry && <NoView name={name} />}
    </>
  )
}

function NoView({ name }: { name: string }) {
  return (
    <>
      <PageHead title={t('place.views')} />
      <p class="card" role="status">
        {t('views.unknown', { name })}
      </p>
    </>
  )
}
