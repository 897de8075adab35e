// Reads CSV as records with their line numbers, and writes it; a misquoted line does not affect the other lines.
import { CsvError, parse } from 'csv-parse/sync'

export interface CsvRecord {
  line: number
  fields: string[]
}

export interface CsvRecords {
  records: CsvRecord[]
  errors: { line: number; reason: string }[]
}

/** The first one in this list that the first line with text contains; spreadsheets of many countries use semicolons. */
const delimiters = [',', ';', '\t']

/** Each error restarts the parser; a text with more errors is not CSV, and the rest of it is not read. */
const mostErrors = 100

/** `text` has line feeds only. Lines without any value are skipped. */
export function readRecords(text: string): CsvRecords {
  const result: CsvRecords = { records: [], errors: [] }
  const lines = text.split('\n')
  const first = lines.find(line => line.trim() !== '') ?? ''
  const delimiter = delimiters.find(sign => first.includes(sign)) ?? ','
  let read = 0
  while (read < lines.length && result.errors.length < mostErrors) {
    const before = read
    try {
      parseLines(lines.slice(before).join('\n'), delimiter, (fields, end) => {
        read = before + end
        const line = read - fields.join('').split('\n').length + 1
        if (fields.some(field => field !== '')) result.records.push({ line, fields })
      })
      break
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      // Only this line is skipped, although the parser read the next lines as parts of it.
      while (lines[read]?.trim() === '') read += 1
      result.errors.push({ line: read + 1, reason: quoteError(lines[read]) })
      read += 1
    }
  }
  return result
}

/** Calls `onRecord` with each record and the line on which it ends. */
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

function quoteError(line = ''): string {
  return `quotes: expected quotes around a whole value, doubled inside it, got ${JSON.stringify(line.slice(0, 80))}`
}

/** The format of RFC 4180: CRLF line ends, quotes only where they are needed. */
export const writeRecords = (records: readonly string[][]) =>
  records.map(fields => `${fields.map(quote).join(',')}\r\n`).join('')

/** Also quotes a value with spaces at its ends, which readers trim otherwise. */
const quote = (value: string) => (/[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
