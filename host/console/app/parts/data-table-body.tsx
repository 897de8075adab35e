// The rows of a data table with its headings: a long one draws those on the screen. On a narrow page each row is a card.
import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { changeQuery } from '../state/route.ts'
import { Button } from './button.tsx'
import { type Column, widthsOf } from './data-table-rows.ts'
import { useRowKeys, useRowWindow } from './data-table-window.ts'
import { ScrollBox } from './scroll-box.tsx'

/** What a table is made of, whatever of it is shown. */
export interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  keyOf(row: Row): string | number
  columns: readonly Column<Row>[]
  /** Where the first cell of a row leads. */
  hrefOf?(row: Row): string
  classOf?(row: Row): string
  /** The computer of a row, which Space shows in the drawer. */
  ipOf?(row: Row): string
}

interface DataRowsProps<Row> extends TableProps<Row> {
  shown: readonly Row[]
  sorting: string
}

export function DataRows<Row>(props: DataRowsProps<Row>) {
  const { label, rows, shown, columns, keyOf, sorting } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, end, above, below } = useRowWindow(body, shown.length)
  useRowKeys(body)
  const widths = useMemo(() => widthsOf(rows, columns), [rows, columns])
  return (
    <ScrollBox class="table-box rows-box" label={label}>
      <table aria-rowcount={shown.length + 1}>
        <colgroup>
          {widths.map((width, index) => (
            <col key={index} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(column => (
              <Heading key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Space height={above} columns={columns.length} />
          {shown.slice(first, end).map((row, index) => (
            <DataRow key={keyOf(row)} {...props} row={row} index={first + index} />
          ))}
          <Space height={below} columns={columns.length} />
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** In place of the rows that are not drawn. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  )
}

function Heading<Row>({ column: { id, head, text, isNumber }, sorting }: { column: Column<Row>; sorting: string }) {
  const direction = { [id]: 'ascending', [`-${id}`]: 'descending' }[sorting] as 'ascending' | 'descending' | undefined
  return (
    <th scope="col" data-type={isNumber && 'number'} aria-sort={direction}>
      {text ? (
        <Button
          class="plain sort-button"
          press={() => changeQuery({ sort: direction === 'ascending' ? `-${id}` : id })}
        >
          {head} {direction && <span aria-hidden="true">{direction === 'ascending' ? '▲' : '▼'}</span>}
        </Button>
      ) : (
        <span class="hidden-text">{head}</span>
      )}
    </th>
  )
}

interface DataRowProps<Row> extends TableProps<Row> {
  row: Row
  /** In all that are shown. */
  index: number
}

function DataRow<Row>({ row, index, columns, hrefOf, classOf, ipOf }: DataRowProps<Row>) {
  return (
    <tr tabIndex={-1} aria-rowindex={index + 2} class={classOf?.(row) || undefined} data-ip={ipOf?.(row)}>
      {columns.map((column, at) => {
        const { id, head, text, cell, isNumber } = column
        const words = text?.(row)
        const content: ComponentChildren = cell ? cell(row) : words
        return (
          <td key={id} data-head={text && head} data-type={text ? isNumber && 'number' : 'actions'}>
            {at === 0 && hrefOf ? <a href={hrefOf(row)}>{content}</a> : content}
          </td>
        )
      })}
    </tr>
  )
}
