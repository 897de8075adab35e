// Formats tables, counts, sizes and times for people.
import { onOneLine, type Paint, paint } from './terminal.ts'

export interface Column<Row> {
  title: string
  value(row: Row): string | number | undefined
  alignRight?: true
  colour?(row: Row): Paint | undefined
}

interface Cell {
  text: string
  colour: Paint | undefined
}

const gap = '  '

/** Without rows only the titles. Lines are cut after `width` characters, so that they do not wrap on a screen. */
export function formatTable<Row>(rows: Row[], columns: Column<Row>[], width = Number.POSITIVE_INFINITY): string {
  const titles = columns.map(({ title }): Cell => ({ text: title.toUpperCase(), colour: 'bold' }))
  const lines = rows.map(row =>
    columns.map(({ value, colour }): Cell => ({ text: onOneLine(String(value(row) ?? '')), colour: colour?.(row) })),
  )
  const widths = titles.map((title, index) =>
    lines.reduce((widest, cells) => Math.max(widest, length(cells[index]?.text ?? '')), length(title.text)),
  )
  return [titles, ...lines].map(cells => formatLine(cells, columns, widths, width)).join('\n')
}

function formatLine<Row>(cells: Cell[], columns: Column<Row>[], widths: number[], width: number): string {
  let remaining = width
  const painted = cells.map(({ text, colour }, index) => {
    const padding = ' '.repeat((widths[index] ?? 0) - length(text))
    const isLast = index === cells.length - 1
    const padded = columns[index]?.alignRight ? padding + text : isLast ? text : text + padding
    const cut = [...(index === 0 ? padded : gap + padded)].slice(0, Math.max(0, remaining)).join('')
    remaining -= length(cut)
    return paint(colour, cut)
  })
  return painted.join('').trimEnd()
}

/** In code points, which is close to columns; East Asian letters are wider. */
const length = (text: string) => [...text].length

/** `1 client`, `24 clients`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Bytes in the largest unit that leaves at least one: `3.2 GiB`. */
export function formatBytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}

/** `2026-03-14 22:30:00`, in local time; '' for undefined. */
export function formatLocalTime(iso: string | undefined): string {
  if (iso === undefined) return ''
  const time = new Date(iso)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}
