// Reads lists of computers from CSV and dhcpd.conf, and writes them as CSV.
import { unknownKey } from '../../system/validation-errors.ts'
import { columns, isKey, type Key, keys, type ListedComputer, textOf } from './columns.ts'
import { type CsvRecord, readRecords, writeRecord } from './csv.ts'
import { type Host, readHosts } from './dhcpd.ts'
import { type ImportConflict, type Imported, type Row, validateRows } from './validate-rows.ts'

/** More than `client/add` has keys: exports of other programs have further columns, which are reported by name. */
const mostColumns = 100

/** CSV with a header row: keys of `client/add` in any order and case; `name`, `ip` and `mac` must be there. */
export function readCsv(text: string): Promise<Imported> {
  return validateRows(csvRows(withoutBom(text)), { name: 'the value', ip: 'the value', mac: 'the value' })
}

/** Undefined for a line without values. */
function* csvRows(text: string): Generator<Row | ImportConflict | undefined> {
  let names: string[] | undefined
  for (const record of readRecords(text)) {
    if ('reason' in record) {
      yield record
      // Without the header row the other lines cannot be read.
      if (!names) return
    } else if (record.fields.every(field => field === undefined)) yield undefined
    else if (names) yield rowOf(names, record)
    else {
      names = record.fields.map((name = '') => name.toLowerCase())
      const missing = missingColumns(names)
      const isTooLong = names.length > mostColumns
      const length = `columns: expected at most ${mostColumns}, got ${names.length}`
      const problems = names.some(isKey) ? [...columnErrors(names), ...missing] : [noHeader(names)]
      for (const reason of isTooLong ? [length] : problems) yield { line: record.line, reason }
      if (isTooLong || missing.length > 0) return
    }
  }
  if (!names) yield* missingColumns([]).map(reason => ({ line: 1, reason }))
}

const missingColumns = (names: string[]) =>
  ['name', 'ip', 'mac'].filter(key => !names.includes(key)).map(key => `${key}: the column is missing`)

/** The first line is that of a computer, or has the words of another program. */
const noHeader = (names: string[]) =>
  `columns: expected their names in the first line, such as name,ip,mac,room, got ${JSON.stringify(names.join(',').slice(0, 80))}`

/** Errors of the column names; a column without a name is ignored. */
function columnErrors(names: string[]): string[] {
  const repeated = names.filter((name, index) => isKey(name) && names.indexOf(name) !== index)
  return [
    ...names.flatMap(name => (name === '' || isKey(name) ? [] : `columns: ${unknownKey(name.slice(0, 80), keys)}`)),
    ...repeated.map(name => `columns: expected one of each, got ${name} again`),
  ]
}

/** The last cells may be absent, as spreadsheets and editors leave empty ones out. */
function rowOf(names: string[], { line, fields }: CsvRecord): Row | ImportConflict {
  if (fields.length > names.length)
    return { line, reason: `columns: expected at most ${names.length}, got ${fields.length}` }
  const values = names.flatMap((key, at) => {
    const value = fields[at]
    return isKey(key) && value !== undefined ? { key, value, line } : []
  })
  return { line, values }
}

/** The hosts of a dhcpd.conf; a computer's name is the option host-name, or without it the name of the declaration. */
export function readDhcpd(text: string): Promise<Imported> {
  const labels = { name: 'its name', ip: 'fixed-address', mac: 'hardware ethernet' }
  return validateRows(dhcpdRows(withoutBom(text)), labels)
}

function* dhcpdRows(text: string): Generator<Row | ImportConflict | undefined> {
  for (const host of readHosts(text)) yield host && 'words' in host ? hostRow(host) : host
}

const statementsFor = { mac: 'hardware ethernet ', ip: 'fixed-address ', name: 'option host-name ' }

function hostRow({ line, words: [, declared = ''], statements }: Host): Row {
  const values = new Map<Key, Row['values'][number]>([['name', { key: 'name', value: declared, line }]])
  for (const statement of statements) {
    const content = statement.words.join(' ')
    const lowerCase = content.toLowerCase()
    for (const [key, start] of Object.entries(statementsFor)) {
      if (!isKey(key) || !lowerCase.startsWith(start)) continue
      values.set(key, { key, value: content.slice(start.length), line: statement.line })
    }
  }
  return { line, values: [...values.values()].filter(({ value }) => value !== '') }
}

/** The header row of a list with all of `client/add`'s keys, which `readCsv` reads back. */
export const csvHeader = writeRecord(keys)

/** A row of that list. An empty cell stands for the value of a new computer. */
export const csvRow = (computer: ListedComputer): string =>
  writeRecord(keys.map(key => (computer[key] === columns[key].none ? undefined : textOf(key, computer))))

const withoutBom = (text: string) => text.replace(/^\ufeff/, '')
