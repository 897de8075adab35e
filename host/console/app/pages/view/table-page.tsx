// A view that is a table: it is searched, sorted and saved as CSV, and its rows have actions.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ViewEntry } from '../../../../contract/answers.ts'
import { get } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { refusal } from '../../state/notices.ts'
import { route } from '../../state/route.ts'
import { useView, viewPath } from '../../state/views.ts'
import { ActionForm, type ChosenAction } from './action-form.tsx'
import { RowActions } from './row-actions.tsx'
import { type Page, type Row, viewColumn } from './view-rows.tsx'

export function TablePage({ entry: { name, title, summary } }: { entry: ViewEntry }) {
  // A view with more than one page searches by itself: the rows that are here are not all.
  const isWhole = useSignal(true)
  const query = isWhole.value ? '' : (route.value.query.get('q') ?? '')
  const resource = useView<'page'>(`${viewPath(name)}?${new URLSearchParams(query === '' ? {} : { query })}`)
  const page = resource.value.value
  if (page && query === '') isWhole.value = page.next === undefined
  // While another page is read the last one is shown, so that the field keeps the focus.
  const shown = useRef(page)
  shown.current = page ?? shown.current
  return (
    <>
      <PageHead title={title} />
      <p class="hint">{summary}</p>
      <ResourceView resource={resource}>{() => null}</ResourceView>
      {shown.current && (
        <Rows name={name} first={shown.current} query={query} isFound={!isWhole.value} reload={resource.reload} />
      )}
    </>
  )
}

interface RowsProps {
  name: string
  first: Page
  query: string
  isFound: boolean
  reload(): Promise<void>
}

function Rows({ name, first, query, isFound, reload }: RowsProps) {
  const later = useSignal<readonly Page[]>([])
  const problem = useSignal('')
  const chosen = useSignal<ChosenAction | undefined>(undefined)
  const choose = (next: ChosenAction | undefined) => {
    chosen.value = next
  }
  // When the first page is another one, those behind it may be others, too.
  useEffect(() => {
    later.value = []
  }, [JSON.stringify(first.rows)])
  const { columns, actions } = first
  const rows: readonly Row[] = [first, ...later.value].flatMap(page => page.rows)
  const places = new Map(rows.map((row, at) => [row, at]))
  const next = (later.value.at(-1) ?? first).next
  const readNext = async () => {
    const reply = await get<Page>(`${viewPath(name)}?${new URLSearchParams({ query, after: next ?? '' })}`)
    problem.value = reply.ok ? '' : refusal(reply)
    if (reply.value) later.value = [...later.value, reply.value]
  }
  const ofRows = actions.filter(({ form }) => form !== 'page')
  const buttons: Column<Row> = {
    id: '-actions',
    head: t('table.actions'),
    width: ofRows.reduce((sum, { title }) => sum + title.length + 3, 0),
    cell: row => <RowActions row={row} columns={columns} actions={ofRows} reload={reload} onChoose={choose} />,
  }
  return (
    <section class="card">
      <DataTable
        label={t('views.rows')}
        rows={rows}
        keyOf={row => places.get(row) ?? 0}
        columns={[...columns.map(viewColumn), ...(ofRows.length > 0 ? [buttons] : [])]}
        empty={t('views.noRows')}
        csvName={name}
        isFound={isFound}
        {...(next !== undefined && { count: t('table.countSoFar', { n: rows.length }) })}
        tools={() =>
          actions.map(
            action =>
              action.form === 'page' && (
                <Button
                  key={action.title}
                  text={action.title}
                  press={() => choose({ action, payload: action.payload, name: '' })}
                />
              ),
          )
        }
      />
      {chosen.value && (
        <ActionForm chosen={chosen.value} onClose={() => choose(undefined)} onSaved={() => void reload()} />
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {next !== undefined && <Button text={t('jobs.more')} press={readNext} />}
    </section>
  )
}
