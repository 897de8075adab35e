// CSV as records with the lines on which they begin; what cannot be read costs its own line only.
import { CsvError, parse } from 'csv-parse/sync'

export interface CsvRecord {
  line: number
  fields: string[]
}

export interface CsvRecords {
  records: CsvRecord[]
  broken: { line: number; reason: string }[]
}

/** Spreadsheets of many countries separate by semicolons: the first of these in the first line with text counts. */
const delimiters = [',', ';', '\t']

/** Each costs a new start of the parser; a text with more of them is no CSV, and its rest is not read. */
const mostBroken = 100

/** `text` has line feeds only. Lines without any value are passed over. */
export function readRecords(text: string): CsvRecords {
  const found: CsvRecords = { records: [], broken: [] }
  const lines = text.split('\n')
  const first = lines.find(line => line.trim() !== '') ?? ''
  const delimiter = delimiters.find(sign => first.includes(sign)) ?? ','
  let read = 0
  while (read < lines.length && found.broken.length < mostBroken) {
    const before = read
    try {
      parseLines(lines.slice(before).join('\n'), delimiter, (fields, end) => {
        read = before + end
        const line = read - fields.join('').split('\n').length + 1
        if (fields.some(field => field !== '')) found.records.push({ line, fields })
      })
      break
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      // The parser would take the next lines for parts of this one.
      while (lines[read]?.trim() === '') read += 1
      found.broken.push({ line: read + 1, reason: misquoted(lines[read]) })
      read += 1
    }
  }
  return found
}

/** `onRecord` is told the line on which the record ends. */
function parseLines(text: string, delimiter: string, onRecord: (fields: string[], end: number) => void): void {
  parse(text, {
    delimiter,
    record_delimiter: '\n',
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record(fields: string[], { lines }) {
      onRecord(fields, lines)
      return null
    },
  })
}

function misquoted(line = ''): string {
  const right = 'quotes around a whole value, doubled inside it, would be right'
  return `quotes: wrong form, got ${JSON.stringify(line.slice(0, 80))}; ${right}`
}

/** As RFC 4180 has it: lines end with CRLF, quotes stand only where they are needed. */
export const writeRecords = (records: readonly string[][]) =>
  records.map(fields => `${fields.map(quote).join(',')}\r\n`).join('')

/** Blanks at the ends of a value would be lost without quotes, too. */
const quote = (value: string) => (/[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
