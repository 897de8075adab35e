// Formats the rows as a table or as JSON.
import { isReached, type Row, ratioOf, type Target } from './measurement.ts'

const head = ['figure', 'measured', 'baseline', 'ratio', 'target', 'reached']

export function table(rows: Row[]): string {
  const lines = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const text = (line: string[]) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return [text(head), rule, ...lines.slice(1).map(text)].join('\n')
}

export const json = (rows: Row[]): string =>
  JSON.stringify(
    rows.map(row => ({ ...row, ratio: ratioOf(row), reached: isReached(row) })),
    null,
    2,
  )

function cells(row: Row): string[] {
  const { figure, measured, unit, baseline, targets = [] } = row
  const ratio = ratioOf(row)
  const reached = isReached(row)
  return [
    figure,
    `${number(measured)} ${unit}`,
    baseline === undefined ? '' : `${number(baseline)} ${unit}`,
    ratio === undefined ? '' : number(ratio),
    targets.map(target => bound(target, unit)).join(', '),
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ]
}

function bound({ of, max, min }: Target, unit: string): string {
  const what = of === 'ratio' ? '× baseline' : unit
  return max === undefined ? `≥ ${number(min ?? 0)} ${what}` : `≤ ${number(max)} ${what}`
}

/** Formats with three significant digits; from 100 on as a whole number. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '?'
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
