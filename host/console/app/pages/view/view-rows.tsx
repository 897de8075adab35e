// The rows of a view's table as columns of the data table.
import type { ViewAnswer } from '../../../../contract/answers.ts'
import { formatNumber, formatTime, t } from '../../language/translate.ts'
import type { Column as DataColumn } from '../../parts/data-table.tsx'
import { computers } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'

export type Page = ViewAnswer<'page'>
export type Column = Page['columns'][number]
export type Row = Page['rows'][number]
type Cell = Row[string] | undefined

export function viewColumn(column: Column): DataColumn<Row> {
  const { key, title, type } = column
  return {
    id: key,
    head: title,
    isNumber: type === 'number',
    text: row => cellText(row[key], column),
    value(row) {
      const cell = row[key]
      return typeof cell === 'number' ? cell : plainText(cell)
    },
    cell(row) {
      const text = cellText(row[key], column)
      const computer = computers.value.get(text)
      // An address of a computer leads to its page.
      return computer ? <a href={linkTo('computer', text)}>{computer.name}</a> : text
    },
  }
}

/** As a person reads it. */
export function cellText(cell: Cell, { type }: Column): string {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'boolean') return t(cell ? 'command.yes' : 'command.no')
  if (type === 'time' && !Number.isNaN(Date.parse(String(cell)))) return formatTime(cell)
  return typeof cell === 'number' ? formatNumber(cell) : cell
}

/** As programs read it. */
export const plainText = (cell: Cell): string => String(cell ?? '')
