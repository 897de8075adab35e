// Reads CSV as records with their line numbers, and writes it; a misquoted line does not affect the other lines.
import type { ImportConflict } from './conflict-list.ts'
import { LineReader, longestLine } from './line-reader.ts'

export interface CsvRecord {
  line: number
  /** Without the spaces around them, undefined for an empty cell; none for an empty line. */
  fields: (string | undefined)[]
}

/** The first one in this list that the first line with text contains; spreadsheets of many countries use semicolons. */
const delimiters = [',', ';', '\t']

/** Lines of a record that has line breaks in quotes. A quote that is open for longer is one that was forgotten. */
const mostLines = 100

/** A text with more lines that cannot be read is not CSV, and the rest of it is not read. */
const mostErrors = 100

/** Each record when it is needed, so that a reader may pause between two records. */
export function* readRecords(text: string): Generator<CsvRecord | ImportConflict> {
  const reader = new LineReader(text)
  let errors = 0
  let delimiter: string | undefined
  for (let first = reader.peek(); first !== undefined && errors < mostErrors; first = reader.peek()) {
    const { line } = reader
    const isBlank = first.trim() === ''
    if (!isBlank) delimiter ??= delimiters.find(sign => first?.includes(sign)) ?? ','
    const count = countLines(reader)
    const fields = isBlank ? [] : count && parseRecord(reader.peekMany(count), delimiter)
    // Only this line is skipped, although a quote in it may have opened a value that has more lines.
    reader.consume(fields && count ? count : 1)
    if (!fields) errors += 1
    yield fields ? { line, fields: fields.map(toValue) } : { line, reason: lineError(first) }
  }
}

/** How many lines the record has that begins at the next line; undefined when it is too long or a quote is not closed. */
function countLines(reader: LineReader): number | undefined {
  let length = 0
  let isQuoted = false
  for (let count = 0; count < mostLines; count += 1) {
    const line = reader.peek(count)
    length += line?.length ?? 0
    if (line === undefined || length > longestLine) return undefined
    if (hasOddQuotes(line)) isQuoted = !isQuoted
    if (!isQuoted) return count + 1
  }
  return undefined
}

function hasOddQuotes(line: string): boolean {
  let isOdd = false
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOdd = !isOdd
  return isOdd
}

/** The fields of one record, undefined when it is misquoted. */
function parseRecord(text: string, delimiter = ','): string[] | undefined {
  const fields: string[] = []
  let isOpen = false
  for (const piece of text.split(delimiter)) {
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
export const writeRecord = (fields: CsvRecord['fields']) => `${fields.map(value => quote(toCell(value))).join(',')}\r\n`

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
