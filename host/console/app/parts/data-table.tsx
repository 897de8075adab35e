// A table of records: searched, filtered, sorted, copied and saved as CSV. What is chosen is in the address of the page.
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { urlOf } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { notify } from '../state/notices.ts'
import { changeQuery, route } from '../state/route.ts'
import { Button } from './button.tsx'
import { DataRows, type TableProps } from './data-table-body.tsx'
import { type Filter, filterRows, findRows, sheetOf, sortRows } from './data-table-rows.ts'
import { Select } from './fields.tsx'
import { saveCsv } from './save-csv.ts'

export type { Column, Filter } from './data-table-rows.ts'

interface DataTableProps<Row> extends TableProps<Row> {
  filters?: readonly Filter<Row>[]
  /** Said when there are no rows at all. */
  empty: string
  /** In place of the number of rows, while all are shown. */
  count?: string
  /** Without extension. */
  csvName: string
  /** The daemon makes the file: it has more rows than these. */
  csvPath?: string
  /** The rows are what the daemon has found for the text. */
  isFound?: boolean
  /** Beside the search. */
  tools?(shown: readonly Row[]): ComponentChildren
}

/** Milliseconds after the last key until the text is in the address. */
const typingTime = 300

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, columns, filters = [], isFound = false, empty } = props
  const { query } = route.value
  const typed = useTyped(query.get('q') ?? '')
  const sorting = query.get('sort') ?? ''
  const text = isFound ? '' : typed.value
  const shown = useMemo(
    () => sortRows(findRows(filterRows(rows, filters, query), columns, text), columns, sorting),
    [rows, columns, query, text],
  )
  const isChosen = typed.value !== '' || filters.some(({ id }) => query.get(id))
  const clear = () => {
    typed.value = ''
    changeQuery({ q: '', ...Object.fromEntries(filters.map(({ id }) => [id, ''])) })
  }
  return (
    <div class="data-table">
      <Tools {...props} filters={filters} query={query} typed={typed} shown={shown} />
      {shown.length > 0 ? (
        <DataRows {...props} shown={shown} sorting={sorting} />
      ) : (
        <p class="empty-state">
          {isChosen ? t('table.noneFound') : empty} {isChosen && <Button text={t('table.showAll')} press={clear} />}
        </p>
      )}
    </div>
  )
}

/** What is typed; it is written to the address when the user pauses, and follows it. */
function useTyped(written: string): Signal<string> {
  const typed = useSignal(written)
  useEffect(() => {
    typed.value = written
  }, [written])
  useEffect(() => {
    const timer = setTimeout(() => changeQuery({ q: typed.value }), typingTime)
    return () => clearTimeout(timer)
  }, [typed.value])
  return typed
}

interface ToolsProps<Row> extends DataTableProps<Row> {
  filters: readonly Filter<Row>[]
  query: URLSearchParams
  typed: Signal<string>
  shown: readonly Row[]
}

function Tools<Row>(props: ToolsProps<Row>) {
  const { rows, columns, filters, query, typed, shown, csvName, csvPath, tools } = props
  const [n, total] = [shown.length, rows.length]
  const copy = async () => {
    const lines = sheetOf(shown, columns).map(cells => cells.map(cell => cell.replaceAll(/\s+/g, ' ')).join('\t'))
    await navigator.clipboard.writeText(lines.join('\n')).then(
      () => notify('good', t('table.copied', { n })),
      () => notify('bad', t('table.notCopied')),
    )
  }
  return (
    <search class="row table-tools">
      <input
        type="search"
        aria-label={t('table.search')}
        placeholder={t('table.search')}
        value={typed.value}
        onInput={event => (typed.value = event.currentTarget.value)}
      />
      {filters.map(({ id, any, options }) => (
        <Select
          key={id}
          aria-label={any}
          value={query.get(id) ?? ''}
          options={[['', any], ...options.map(({ value, word }) => [value, word] as const)]}
          change={value => changeQuery({ [id]: value })}
        />
      ))}
      {tools?.(shown)}
      <span class="hint" role="status">
        {n < total ? t('table.found', { n, total }) : (props.count ?? t('table.count', { n }))}
      </span>
      {/* Browsers have no clipboard for pages without TLS. */}
      {isSecureContext && <Button text={t('accounts.copy')} disabled={n === 0} press={copy} />}
      {csvPath === undefined ? (
        <Button text={t('job.csv')} disabled={n === 0} press={() => saveCsv(csvName, sheetOf(shown, columns))} />
      ) : (
        <a class="button" href={urlOf(csvPath)} download={`${csvName}.csv`}>
          {t('job.csv')}
        </a>
      )}
    </search>
  )
}
