// Writes an answer of the API as a short text for assistants: values by line, and lists as tables with tabs.
import { onOneLine } from '../terminal/terminal.ts'
import { cutLine, plural } from '../terminal/text-table.ts'

export const mostRows = 50
/** Characters of one answer, about 4,000 tokens. */
const mostCharacters = 16_000
const mostOfCell = 300
/** A text that is no cell of a table, such as the output of a script. */
const mostOfText = 5_000
/** Lists in lists are counted from here on. */
const mostLevels = 4

/** What was asked for. */
export interface Page {
  /** Rows of every list that were shown before. */
  skip: number
  /** That of the request, when nobody named one. */
  limit: number | undefined
  /** Not what follows another page. */
  isFirst: boolean
}

export function answerText(body: unknown, page: Page): string {
  if (body === undefined) return 'done'
  const lines = linesOf('', body, page, 0)
  const text = lines.length === 0 ? 'nothing' : lines.join('\n')
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}\n(cut: ask for less)`
}

/** `name` is '' for the whole. */
function linesOf(name: string, value: unknown, page: Page, level: number): string[] {
  const title = name === '' ? '' : `${name}: `
  if (value === undefined || value === null || value === '') return []
  if (Array.isArray(value) && value.some(isObject) && level < mostLevels) {
    const [only] = value
    return value.length === 1 ? linesOf(name, only, page, level + 1) : tableOf(name, value, page)
  }
  if (isObject(value) && level > 0 && areNumbers(value)) return [`${title}${cell(value)}`]
  if (isObject(value) && level < mostLevels) {
    const { next, ...others } = value
    const prefix = name === '' ? '' : `${name}.`
    const lines = Object.entries(others).flatMap(([key, one]) => linesOf(`${prefix}${key}`, one, page, level + 1))
    return [...lines, ...pagesAfter(value, page)]
  }
  if (Array.isArray(value)) return value.length === 0 ? [`${title}none`] : listOf(title, value, page)
  return [`${title}${typeof value === 'string' ? textOf(value) : cell(value, name.replace(/^.*\./, ''))}`]
}

const isObject = (value: unknown): value is Record<string, unknown> => value instanceof Object && !Array.isArray(value)

/** Such as the counts of a job; those that are 0 are left out. */
const areNumbers = (value: object) =>
  Object.keys(value).length > 0 && Object.values(value).every(one => typeof one === 'number')

/** Its lines are moved to the right, so that none of them seems to be a line of the answer. */
function textOf(text: string): string {
  const lines = text.slice(0, mostOfText).trimEnd().split(/\r?\n/).map(onOneLine)
  const rest = text.length > mostOfText ? `\n  (cut: ${text.length} characters)` : ''
  return lines.length === 1 ? `${lines[0]}${rest}` : `${lines.map(line => `\n  ${line}`).join('')}${rest}`
}

/** How to read the following pages; how many rows they have where that is known. */
function pagesAfter({ next, total, ...others }: Record<string, unknown>, { isFirst, limit }: Page): string[] {
  const [list, ...lists] = Object.values(others).filter(Array.isArray)
  const isFull = [list, ...lists].some(each => each?.length === limit)
  if (next === undefined) return limit && isFull ? [`maybe more: limit=${2 * limit}, skip_rows=${limit}`] : []
  const count = typeof total === 'number' && isFirst && list && lists.length === 0 ? `${total - list.length} ` : ''
  return [`${count}more: after=${onOneLine(String(next))}`]
}

function listOf(title: string, values: unknown[], { skip }: Page): string[] {
  const shown = values.slice(skip, skip + mostRows)
  return [
    `${title}${shown.map(one => cell(one)).join(', ')}`,
    ...remaining(values.length - skip - shown.length, skip, shown),
  ]
}

const remaining = (count: number, skip: number, { length }: unknown[]): string[] =>
  count > 0 ? [`${count} more: skip_rows=${skip + length}`] : []

function tableOf(name: string, all: unknown[], { skip }: Page): string[] {
  const rows = all.slice(skip, skip + mostRows).map(row => new Map(isObject(row) ? Object.entries(row) : [['', row]]))
  const keys = [...new Set(rows.flatMap(row => [...row.keys()]))]
  const columns = keys.map(key => ({ key, cells: rows.map(row => cell(row.get(key))) }))
  const isSame = ({ cells }: { cells: string[] }) => rows.length > 1 && cells.every(one => one === cells[0])
  const common = columns.filter(column => isSame(column) && column.cells[0] !== '')
  const differing = columns.filter(column => !isSame(column))
  const lines: string[] = []
  let characters = 0
  for (const index of rows.keys()) {
    const line = differing.map(({ cells }) => cells[index]).join('\t')
    characters += line.length
    if (characters > mostCharacters * 0.8 && lines.length > 0) break
    lines.push(line)
  }
  return [
    `${name === '' ? '' : `${name}, `}${plural(all.length, 'row')}:`,
    ...(common.length > 0 ? [`in all rows: ${common.map(({ key, cells }) => `${key} ${cells[0]}`).join(', ')}`] : []),
    ...(differing.length > 0 ? [differing.map(({ key }) => key).join('\t'), ...lines] : []),
    ...remaining(all.length - skip - lines.length, skip, lines),
  ]
}

/** Without tabs and line breaks, which end cells and rows. */
function cell(value: unknown, key = '', level = 0): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return cutLine(onOneLine(value), mostOfCell)
  if (typeof value === 'number' && isTime(key, value)) return new Date(value * 1000).toISOString()
  if (Array.isArray(value)) {
    if (level > 0 && value.some(isObject)) return `${value.length} in a list`
    return cutLine(value.map(one => cell(one, '', level + 1)).join('; '), mostOfCell)
  }
  if (!isObject(value)) return String(value)
  const isCounts = areNumbers(value)
  const entries = Object.entries(value).filter(([, one]) => !(isCounts && one === 0))
  return cutLine(entries.map(([name, one]) => `${name} ${cell(one, name, level + 1)}`).join(', '), mostOfCell)
}

/** Some routes have seconds since 1970. */
const isTime = (key: string, value: number) =>
  /^(now|created|used|expires|added|time|time_\w+)$/.test(key) && value > 1e9 && value < 1e10
