// Tables for people: aligned columns with a title each.
import { onOneLine, type Paint, paint } from './terminal.ts'

export interface Column<Row> {
  title: string
  of(row: Row): string | number | undefined
  /** Numbers stand at the right. */
  right?: true
  colour?(row: Row): Paint | undefined
}

const gap = '  '

/** No rows give the titles only. `width` cuts what is longer, so that a screen keeps its lines. */
export function table<Row>(rows: Row[], columns: Column<Row>[], width = Number.POSITIVE_INFINITY): string {
  const texts = rows.map(row => columns.map(({ of }) => onOneLine(String(of(row) ?? ''))))
  const titles = columns.map(({ title }) => title.toUpperCase())
  const widths = titles.map((title, index) =>
    Math.max(...[titles, ...texts].map(cells => length(cells[index] ?? ''), title)),
  )
  const line = (cells: string[], colours: (Paint | undefined)[]) => {
    let left = width
    const parts = cells.map((cell, index) => {
      const room = ' '.repeat((widths[index] ?? 0) - length(cell))
      const padded = columns[index]?.right ? room + cell : index === cells.length - 1 ? cell : cell + room
      const cut = [...(index === 0 ? padded : gap + padded)].slice(0, Math.max(0, left)).join('')
      left -= length(cut)
      return paint(colours[index], cut)
    })
    return parts.join('').trimEnd()
  }
  const head = line(
    titles,
    titles.map(() => 'bold'),
  )
  return [
    head,
    ...texts.map((cells, row) =>
      line(
        cells,
        columns.map(({ colour }) => colourOf(rows[row], colour)),
      ),
    ),
  ].join('\n')
}

function colourOf<Row>(row: Row | undefined, colour: Column<Row>['colour']): Paint | undefined {
  return row === undefined ? undefined : colour?.(row)
}

/** In characters as people count them, nearly: letters of Asia are wider. */
const length = (text: string) => [...text].length

/** `1 client`, `24 clients`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Bytes in the largest unit that leaves at least one: `3.2 GiB`. */
export function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}

/** `2026-03-14 22:30:00`, in local time. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const time = new Date(iso)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}
