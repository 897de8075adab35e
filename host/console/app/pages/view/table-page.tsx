// A view that is a table: it is searched, sorted and saved as CSV, and its rows have actions.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { ViewEntry } from '../../../../contract/answers.ts'
import { get } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { saveCsv } from '../../parts/save-csv.ts'
import { refusal } from '../../state/notices.ts'
import { useView, viewPath } from '../../state/views.ts'
import { ActionForm, type ChosenAction } from './action-form.tsx'
import { RowTable } from './row-table.tsx'
import { csvRows, findRows, type Page, type Row, type Sorting, sortRows } from './view-rows.ts'

/** Milliseconds after the last key until the view is asked for a text. */
const typingTime = 300

export function TablePage({ entry: { name, title, summary } }: { entry: ViewEntry }) {
  const typed = useSignal('')
  const query = useSignal('')
  const search = new URLSearchParams(query.value === '' ? {} : { query: query.value })
  const resource = useView<'page'>(`${viewPath(name)}?${search}`)
  // A view with more than one page searches by itself: the rows that are here are not all.
  const isWhole = useSignal(true)
  const page = resource.value.value
  if (page && query.value === '') isWhole.value = page.next === undefined
  useEffect(() => {
    if (isWhole.peek() && query.peek() === '') return undefined
    const timer = setTimeout(() => {
      query.value = typed.value
    }, typingTime)
    return () => clearTimeout(timer)
  }, [typed.value])
  return (
    <>
      <PageHead title={title} />
      <p class="hint">{summary}</p>
      <ResourceView resource={resource}>
        {first => (
          <Rows
            key={query.value}
            name={name}
            first={first}
            query={query.value}
            typed={typed}
            text={isWhole.value ? typed.value : ''}
            reload={resource.reload}
          />
        )}
      </ResourceView>
    </>
  )
}

interface RowsProps {
  name: string
  first: Page
  query: string
  typed: Signal<string>
  /** What the rows that are here are searched for. */
  text: string
  reload(): Promise<void>
}

function Rows({ name, first, query, typed, text, reload }: RowsProps) {
  const later = useSignal<readonly Page[]>([])
  const sorting = useSignal<Sorting | undefined>(undefined)
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
  const all: readonly Row[] = [first, ...later.value].flatMap(({ rows }) => rows)
  const rows = useMemo(
    () => sortRows(findRows(all, columns, text), sorting.value),
    [first, later.value, text, sorting.value],
  )
  const next = (later.value.at(-1) ?? first).next
  const readNext = async () => {
    const reply = await get<Page>(`${viewPath(name)}?${new URLSearchParams({ query, after: next ?? '' })}`)
    problem.value = reply.ok ? '' : refusal(reply)
    if (reply.value) later.value = [...later.value, reply.value]
  }
  return (
    <section class="card">
      <div class="view-tools">
        <input
          type="search"
          placeholder={t('views.search')}
          aria-label={t('views.search')}
          value={typed.value}
          onInput={event => {
            typed.value = event.currentTarget.value
          }}
        />
        <span class="hint" role="status">
          {t(next === undefined ? 'views.count' : 'views.countSoFar', { n: rows.length })}
        </span>
        <button type="button" disabled={rows.length === 0} onClick={() => saveCsv(name, csvRows(rows, columns))}>
          {t('job.csv')}
        </button>
        {actions.map(
          action =>
            action.form === 'page' && (
              <button
                key={action.title}
                type="button"
                onClick={() => choose({ action, payload: action.payload, name: '' })}
              >
                {action.title}
              </button>
            ),
        )}
      </div>
      <RowTable
        columns={columns}
        rows={rows}
        actions={actions.filter(({ form }) => form !== 'page')}
        sorting={sorting}
        reload={reload}
        onChoose={choose}
      />
      {chosen.value && (
        <ActionForm chosen={chosen.value} onClose={() => choose(undefined)} onSaved={() => void reload()} />
      )}
      {rows.length === 0 && <p class="hint">{t('views.noRows')}</p>}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {next !== undefined && (
        <button type="button" onClick={() => void readNext()}>
          {t('views.more')}
        </button>
      )}
    </section>
  )
}
