// The rows of a view's table: how cells are shown and sorted, and which rows a text finds.
import type { ViewAnswer } from '../../../../contract/answers.ts'
import { formatNumber, formatTime, language, t } from '../../language/translate.ts'

export type Page = ViewAnswer<'page'>
export type Column = Page['columns'][number]
export type Row = Page['rows'][number]
type Cell = Row[string] | undefined

export interface Sorting {
  key: string
  isDescending: boolean
}

/** As a person reads it. */
export function cellText(cell: Cell, { type }: Column): string {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'boolean') return t(cell ? 'views.yes' : 'views.no')
  if (type === 'time' && !Number.isNaN(Date.parse(String(cell)))) return formatTime(cell)
  return typeof cell === 'number' ? formatNumber(cell) : cell
}

/** As programs read it. */
export const plainText = (cell: Cell): string => String(cell ?? '')

export function findRows(rows: readonly Row[], columns: readonly Column[], text: string): readonly Row[] {
  const words = text.trim().toLowerCase()
  if (words === '') return rows
  return rows.filter(row => columns.some(column => cellText(row[column.key], column).toLowerCase().includes(words)))
}

/** Empty cells come last, in both directions. */
export function sortRows(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (!sorting) return rows
  const { key, isDescending } = sorting
  const { compare: compareTexts } = new Intl.Collator(language.value, { numeric: true })
  const compare = (a: Cell, b: Cell) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(plainText(a), plainText(b))
  const isEmpty = (row: Row) => plainText(row[key]) === ''
  return rows.toSorted(
    (a, b) =>
      Number(isEmpty(a)) - Number(isEmpty(b)) || (isDescending ? compare(b[key], a[key]) : compare(a[key], b[key])),
  )
}

export const csvRows = (rows: readonly Row[], columns: readonly Column[]): string[][] => [
  columns.map(({ title }) => title),
  ...rows.map(row => columns.map(({ key }) => plainText(row[key]))),
]
