// Formats tables, counts, sizes and times for people.
import { onOneLine, type Paint, paint } from './terminal.ts'

type CellValue = string | number | undefined

type KeyWithText<Row> = { [Key in keyof Row]-?: Row[Key] extends CellValue ? Key : never }[keyof Row] & string

/** A key of the rows is its own title, or `key as title`. Columns of numbers are aligned to the right. */
export type Column<Row> = KeyWithText<Row> | `${KeyWithText<Row>} as ${string}` | TitledColumn<Row>

export interface TitledColumn<Row> {
  title: string
  value(row: Row): CellValue
  /** For numbers with a unit. */
  alignRight?: true
  /** It is cut only where the others cannot get shorter. */
  isKept?: true
  colour?(row: Row): Paint | undefined
}

interface Cell {
  text: string
  colour: Paint | undefined
}

const gap = '  '

/**
 * Without rows `none`, or only the titles. Where a row is longer than `width`, its longest texts are cut and end in `…`.
 */
export function formatTable<Row>(
  rows: Row[],
  columns: readonly NoInfer<Column<Row>>[],
  width = Number.POSITIVE_INFINITY,
  none?: string,
): string {
  if (none !== undefined && rows.length === 0) return none
  const titled = columns.map(column => withTitle(column, rows))
  const titles = titled.map(({ title }): Cell => ({ text: title.toUpperCase(), colour: 'bold' }))
  const lines = rows.map(row =>
    titled.map(({ value, colour }): Cell => ({ text: onOneLine(String(value(row) ?? '')), colour: colour?.(row) })),
  )
  const widths = titles.map((title, index) =>
    lines.reduce((widest, cells) => Math.max(widest, length(cells[index]?.text ?? '')), length(title.text)),
  )
  const fitted = fitWidths(widths, titled, width)
  return [titles, ...lines].map(cells => formatLine(cells, titled, fitted, width)).join('\n')
}

function withTitle<Row>(column: Column<Row>, rows: Row[]): TitledColumn<Row> {
  const titled = typeof column === 'string' ? keyColumn(column) : column
  const values = rows.map(row => titled.value(row) ?? '').filter(value => value !== '')
  const isNumeric = values.length > 0 && values.every(value => typeof value === 'number')
  return isNumeric ? { ...titled, alignRight: true } : titled
}

function keyColumn<Row>(column: string): TitledColumn<Row> {
  const [key = '', title = key] = column.split(' as ')
  return { title, value: row => row[key as keyof Row] as CellValue } // Only keys with such values are columns.
}

/** The local time of a key with an ISO time. */
export const timeColumn = <Key extends string>(
  key: Key,
  title: string = key,
): TitledColumn<{ [Name in Key]?: string | undefined }> => ({
  title,
  value: row => formatLocalTime(row[key]),
  isKept: true,
})

/** A number, but for 0. */
export const countColumn = <Row>(
  title: string,
  count: (row: Row) => number | undefined,
  colour?: Paint,
): TitledColumn<Row> => ({ title, value: row => count(row) || '', colour: () => colour })

/** Takes from the widest column of text until a row fits. Numbers, titles and what is kept have their width. */
function fitWidths<Row>(widths: number[], columns: TitledColumn<Row>[], width: number): number[] {
  const fitted = [...widths]
  const total = widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1))
  for (let excess = total - width; excess > 0; excess -= 1) {
    let widest: number | undefined
    for (const [index, { title, alignRight, isKept }] of columns.entries()) {
      const current = fitted[index] ?? 0
      if (!alignRight && !isKept && current > length(title) && current > (fitted[widest ?? -1] ?? 0)) widest = index
    }
    if (widest === undefined) break
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}

function formatLine<Row>(cells: Cell[], columns: TitledColumn<Row>[], widths: number[], width: number): string {
  // Spaces are pieces of their own, so that none has a colour and those at the end can be left out.
  const pieces = cells.flatMap(({ text, colour }, index): Cell[] => {
    const shown = cutLine(text, widths[index])
    const padding = ' '.repeat((widths[index] ?? 0) - length(shown))
    const isRight = columns[index]?.alignRight === true
    const before = (index === 0 ? '' : gap) + (isRight ? padding : '')
    return [space(before), { text: shown, colour }, space(isRight ? '' : padding)]
  })
  while (pieces.at(-1)?.text.trim() === '') pieces.pop()
  let remaining = width
  const painted = pieces.map(({ text, colour }) => {
    const cut = [...text].slice(0, remaining).join('')
    remaining -= length(cut)
    return paint(colour, cut)
  })
  return painted.join('')
}

const space = (text: string): Cell => ({ text, colour: undefined })

/** A text without line breaks and colours that is longer than `width` ends in `…`. */
export function cutLine(text: string, width = Number.POSITIVE_INFINITY): string {
  if (length(text) <= width) return text
  return `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`
}

/** In code points, which is close to columns; East Asian letters are wider. */
const length = (text: string) => [...text].length

/** The order of names, with numbers as numbers: lab-c2 before lab-c10. */
export const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true })

/** `1 client`, `24 clients`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `2026-03-14 22:30:00`, in local time; '' for undefined. */
export function formatLocalTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const time = new Date(iso)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}

/** Times of the API within a text, as `formatClock` has them. */
export const withClocks = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatClock)

const dayMilliseconds = 86_400_000

/** `06:30` of a time less than a day from now, otherwise with the date. */
export function formatClock(iso: string): string {
  const [day = '', time = ''] = formatLocalTime(iso).split(' ')
  const minutes = time.slice(0, 5)
  return Math.abs(Date.parse(iso) - Date.now()) < dayMilliseconds ? minutes : `${day} ${minutes}`
}
