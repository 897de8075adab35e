// The rows of a data table: which of them a text and filters find, their order, and what a spreadsheet gets.
import type { ComponentChildren } from 'preact'
import { locale } from '../language/translate.ts'

export interface Column<Row> {
  /** In the address. */
  id: string
  head: string
  /** As a person reads it; it is searched. A column without it has buttons: it is neither sorted nor saved. */
  text?(row: Row): string
  /** By what rows are sorted, numbers as numbers, and what programs read; default: `text`. Empty ones come last. */
  value?(row: Row): string | number | undefined
  /** What is shown; default: `text`. */
  cell?(row: Row): ComponentChildren
  isNumber?: boolean
  /** Characters; default: those of its longest text. */
  width?: number
}

export interface Filter<Row> {
  /** In the address. */
  id: string
  /** What is chosen when nothing is. */
  any: string
  options: readonly { value: string; word: string }[]
  /** Without it the rows are what the daemon has chosen. */
  matches?(row: Row, value: string): boolean
}

/** With words in every column that has a text. */
export function findRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], typed: string): readonly Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(row => {
    const text = columns
      .map(column => column.text?.(row) ?? '')
      .join('\n')
      .toLowerCase()
    return words.every(word => text.includes(word))
  })
}

export function filterRows<Row>(rows: readonly Row[], filters: readonly Filter<Row>[], query: URLSearchParams) {
  const chosen = filters.filter(({ id, matches }) => matches && query.get(id))
  return rows.filter(row => chosen.every(({ id, matches }) => matches?.(row, query.get(id) ?? '')))
}

const sortedBy = <Row>({ value, text }: Column<Row>, row: Row) => (value ? value(row) : text?.(row)) ?? ''

/** `sorting`: the id of a column, with `-` before it when the greatest is first. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: string): readonly Row[] {
  const column = columns.find(({ id, text }) => text && id === sorting.replace(/^-/, ''))
  if (!column) return rows
  const { compare } = new Intl.Collator(locale.value, { numeric: true })
  const sign = sorting.startsWith('-') ? -1 : 1
  return rows
    .map(row => ({ row, value: sortedBy(column, row) }))
    .toSorted(({ value: a }, { value: b }) => {
      if (a === '' || b === '') return Number(a === '') - Number(b === '')
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)))
    })
    .map(({ row }) => row)
}

/** With the headings. */
export function sheetOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[][] {
  const saved = columns.filter(({ text }) => text)
  return [saved.map(({ head }) => head), ...rows.map(row => saved.map(column => String(sortedBy(column, row))))]
}

/** Rows of which the texts are measured, and the fewest and most characters of a column. */
const [measured, narrowest, widest] = [300, 5, 48]

/** A column with more characters gives way, down to a part of its width, before the table scrolls. */
const [fixed, leastPart] = [18, 0.55]

/** As CSS has them. A column is as wide for all rows as for those that are drawn. */
export function widthsOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const some = rows.slice(0, measured)
  const widths = columns.map(({ head, text, width }) => {
    const lengths = some.map(row => text?.(row).length ?? 0)
    const characters = width ?? Math.min(widest, Math.max(narrowest, head.length + 2, ...lengths))
    // Buttons have borders, and spaces between them.
    return { wide: 0.84 * characters + (text ? 3 : 5), mayShrink: text !== undefined && characters > fixed }
  })
  const sumOf = (some: typeof widths) => some.reduce((sum, { wide }) => sum + wide, 0)
  const shrinking = widths.filter(({ mayShrink }) => mayShrink)
  const taken = sumOf(widths) - sumOf(shrinking)
  return widths.map(({ wide, mayShrink }) => {
    if (!mayShrink) return `${wide}ch`
    const share = `(100cqw - ${taken}ch) * ${wide / sumOf(shrinking)}`
    return `clamp(${leastPart * wide}ch, ${share}, ${wide}ch)`
  })
}
