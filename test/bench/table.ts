// Prints rows as one table for people, or as JSON for programs.
import { isReached, type Row, ratioOf, type Target } from './figure.ts'

const head = ['figure', 'measured', 'bare', 'ratio', 'target', 'reached']

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
  const { figure, measured, unit, bare, targets = [] } = row
  const ratio = ratioOf(row)
  const reached = isReached(row)
  return [
    ...[figure, `${number(measured)} ${unit}`, bare === undefined ? '' : `${number(bare)} ${unit}`],
    ...[ratio === undefined ? '' : number(ratio), targets.map(target => bound(target, unit)).join(', ')],
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ]
}

function bound({ of, most, least }: Target, unit: string): string {
  const what = of === 'ratio' ? '× bare' : unit
  return most === undefined ? `≥ ${number(least ?? 0)} ${what}` : `≤ ${number(most)} ${what}`
}

/** Three significant digits; whole numbers from 100 on. */
function number(value: number): string {
  if (!Number.isFinite(value)) return '?'
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
}
