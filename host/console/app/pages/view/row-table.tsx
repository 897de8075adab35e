// The table of a view: headings that sort, and a button for each action of a row.
import type { Signal } from '@preact/signals'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { confirmed } from '../../parts/confirmation.tsx'
import { RecordButton } from '../../parts/record-actions.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { computers } from '../../state/lab.ts'
import { report } from '../../state/notices.ts'
import { linkTo } from '../../state/route.ts'
import { type Action, type ChosenAction, pathOf } from './action-form.tsx'
import { type Column, cellText, plainText, type Row, type Sorting } from './view-rows.ts'

interface RowTableProps {
  columns: readonly Column[]
  rows: readonly Row[]
  actions: readonly Action[]
  sorting: Signal<Sorting | undefined>
  reload(): Promise<void>
  /** An action that has a form. */
  onChoose(chosen: ChosenAction): void
}

export function RowTable({ columns, rows, actions, sorting, reload, onChoose }: RowTableProps) {
  const [firstColumn] = columns
  const nameOf = (row: Row) => (firstColumn ? cellText(row[firstColumn.key], firstColumn) : '')
  return (
    <ScrollBox class="table-box" label={t('views.rows')}>
      <table class="view-table">
        <thead>
          <tr>
            {columns.map(column => (
              <Heading key={column.key} column={column} sorting={sorting} />
            ))}
            {actions.length > 0 && (
              <th>
                <span class="hidden-text">{t('views.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(column => (
                <td key={column.key} data-type={column.type}>
                  <Cell row={row} column={column} />
                </td>
              ))}
              {actions.length > 0 && (
                <td class="row-actions">
                  {actions.map(action => (
                    <RecordButton
                      key={action.title}
                      label={action.title}
                      name={nameOf(row)}
                      onClick={() => {
                        const chosen = { action, payload: payloadOf(action, row), name: nameOf(row), row }
                        return action.form ? onChoose(chosen) : send(chosen, reload)
                      }}
                    />
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Heading({ column: { key, title, type }, sorting }: { column: Column; sorting: Signal<Sorting | undefined> }) {
  const current = sorting.value?.key === key ? sorting.value : undefined
  const direction = current?.isDescending ? 'descending' : 'ascending'
  return (
    <th data-type={type} aria-sort={current && direction}>
      <button
        type="button"
        class="plain sort-button"
        onClick={() => {
          sorting.value = { key, isDescending: current ? !current.isDescending : false }
        }}
      >
        {title} <span aria-hidden="true">{current ? (current.isDescending ? '▼' : '▲') : ''}</span>
      </button>
    </th>
  )
}

/** An address of a computer leads to its page. */
function Cell({ row, column }: { row: Row; column: Column }) {
  const text = cellText(row[column.key], column)
  const computer = computers.value.get(text)
  return computer ? (
    <a href={linkTo('computer', text)} title={text}>
      {computer.name}
    </a>
  ) : (
    text
  )
}

function payloadOf({ payload, row_keys }: Action, row: Row) {
  // A request names its computers in a list.
  const cellOf = (key: string) => (key === 'clients' ? [plainText(row[key])] : row[key])
  return { ...payload, ...Object.fromEntries(row_keys.map(key => [key, cellOf(key)])) }
}

async function send({ action, payload, name }: ChosenAction, reload: () => Promise<void>) {
  const { title, destructive } = action
  if (destructive && !(await confirmed(title, t('views.confirm', { action: title, name }), title))) return
  const reply = await post(pathOf(action), payload)
  report(reply, t('views.done', { action: title, name }))
  await reload()
}
