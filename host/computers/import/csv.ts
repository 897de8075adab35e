// Reads CSV as records with their line numbers, and writes it; a misquoted line does not affect the other lines.
import { type ImportConflict, longestLine } from './validate-rows.ts'

export interface CsvRecord {
  line: number
  /** Without the spaces around them, undefined for an empty cell. */
  fields: (string | undefined)[]
}

/** The first one in this list that the first line with text contains; spreadsheets of many countries use semicolons. */
const delimiters = [',', ';', '\t']

/** Line breaks of a record in quotes. A quote that is open for longer is one that was forgotten. */
const mostLineBreaks = 99

/** A text with more lines that cannot be read is not CSV, and the rest of it is not read. */
const mostErrors = 100

const sign = /"|\r\n?|\n|$/g
const lineEnd = /\r\n?|\n|$/g

/** Each record when it is needed, so that a reader may pause between two records. */
export function* readRecords(text: string): Generator<CsvRecord | ImportConflict> {
  let [start, line, errors] = [0, 1, 0]
  let delimiter: string | undefined
  while (start < text.length && errors < mostErrors) {
    const record = recordAt(text, start)
    if (record && record.text.trim() !== '') delimiter ??= delimiters.find(each => record.text.includes(each))
    const fields = record && parseRecord(record.text, delimiter)
    // Of an error only the line is skipped, although a quote in it may have opened a value that has more lines.
    const { text: got, lines, next } = record && fields ? record : lineAt(text, start)
    if (!fields) errors += 1
    yield fields ? { line, fields: fields.map(toValue) } : { line, reason: lineError(got) }
    start = next
    line += lines
  }
}

interface Lines {
  text: string
  lines: number
  /** Where the text goes on. */
  next: number
}

function lineAt(text: string, start: number): Lines {
  lineEnd.lastIndex = start
  return { text: text.slice(start, lineEnd.exec(text)?.index), lines: 1, next: lineEnd.lastIndex }
}

/** The record that begins at `start`; undefined when it is too long or a quote is not closed. */
function recordAt(text: string, start: number): Lines | undefined {
  let isQuoted = false
  let lines = 1
  sign.lastIndex = start
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const { index, 0: token } = match
    if (index - start > longestLine) return undefined
    if (token === '"') isQuoted = !isQuoted
    else if (!isQuoted) return { text: text.slice(start, index), lines, next: sign.lastIndex }
    else if (token === '' || lines > mostLineBreaks) return undefined
    else lines += 1
  }
  return undefined
}

const hasOddQuotes = (text: string) => text.split('"').length % 2 === 0

/** The fields of one record, undefined when it is misquoted. */
function parseRecord(text: string, delimiter = ','): string[] | undefined {
  const fields: string[] = []
  let isOpen = false
  for (const piece of text.replaceAll(/\r\n?/g, '\n').split(delimiter)) {
    // The delimiter before this piece is in quotes.
    if (isOpen) fields.push(`${fields.pop()}${delimiter}${piece}`)
    else fields.push(piece)
    if (hasOddQuotes(piece)) isOpen = !isOpen
  }
  const values = fields.map(field => unquote(field.trim()))
  return values.every(value => value !== undefined) ? values : undefined
}

/** Undefined for quotes that are not around the whole value, or not doubled inside it. */
function unquote(field: string): string | undefined {
  if (!field.includes('"')) return field
  const inner = field.length > 1 && field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : '"'
  return inner.replaceAll('""', '').includes('"') ? undefined : inner.replaceAll('""', '"')
}

function lineError(line: string): string {
  if (line.length > longestLine) return `line: expected at most ${longestLine} characters, got ${line.length}`
  return `quotes: expected quotes around a whole value, doubled inside it, got ${JSON.stringify(line.slice(0, 80))}`
}

/** The format of RFC 4180: CRLF line ends, quotes only where they are needed. */
export const writeRecord = (fields: readonly CsvRecord['fields'][number][]) =>
  `${fields.map(value => quote(toCell(value))).join(',')}\r\n`

/** Also quotes a value with spaces at its ends, which readers trim otherwise. */
const quote = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

// Spreadsheets calculate values that begin with these characters; an apostrophe before them makes a value a text, and
// one alone is the empty text. `readRecords` removes it, so a value that has apostrophes there gets one more.

function toCell(value: string | undefined): string {
  if (value === undefined) return ''
  return /^'*([=+\-@\t\r\n＝＋－＠]|$)/.test(value) ? `'${value}` : value
}

function toValue(cell: string): string | undefined {
  if (cell === '') return undefined
  return /^'+([=+\-@\t\r\n＝＋－＠]|$)/.test(cell) ? cell.slice(1) : cell
}
