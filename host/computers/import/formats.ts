// Lists of computers as text: CSV and dhcpd.conf are read, CSV is written.
import type { Computer, New } from '../../../stores/store.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { columns, isKey, type Key } from './columns.ts'
import { readRecords, writeRecords } from './csv.ts'
import { type Host, readHosts } from './dhcpd.ts'
import { gather, type Imported, type Row } from './validate-rows.ts'

const keys = Object.keys(columns).filter(isKey)

/** CSV with a header row: keys of `client/add` in any order and case; `name`, `ip` and `mac` must be there. */
export function readCsv(text: string): Imported {
  const { records, broken } = readRecords(unix(text))
  const [header = { line: 1, fields: [] }, ...rest] = records
  const names = header.fields.map(name => name.toLowerCase())
  const unread = [...broken, ...misnamed(names).map(reason => ({ line: header.line, reason }))]
  const words = { name: 'the value', ip: 'the value', mac: 'the value' }
  const absent = Object.keys(words).filter(key => !names.includes(key))
  if (absent.length > 0) {
    // Each line would only say it once more.
    const reasons = absent.map(key => ({ line: header.line, reason: `${key}: the column is missing` }))
    return gather([], [...unread, ...reasons], words)
  }
  const rows: Row[] = []
  for (const { line, fields } of rest) {
    const count = `columns: expected ${names.length}, got ${fields.length}`
    if (fields.length !== names.length) unread.push({ line, reason: count })
    else rows.push({ line, values: valuesOf(names, fields, line) })
  }
  return gather(rows, unread, words)
}

/** What is wrong with the names of columns; a column without a name is left out. */
function misnamed(names: string[]): string[] {
  const repeated = names.filter((name, index) => isKey(name) && names.indexOf(name) !== index)
  return [
    ...names.flatMap(name => (name === '' || isKey(name) ? [] : `columns: ${unknownKey(name, keys)}`)),
    ...repeated.map(name => `columns: repeated, expected one of each, got ${name} again`),
  ]
}

function valuesOf(names: string[], fields: string[], line: number): Row['values'] {
  return names.flatMap((key, index) => (isKey(key) ? { key, value: fields[index] ?? '', line } : []))
}

/** The host declarations of a dhcpd.conf; a computer's name is the option host-name, without it the declaration's. */
export function readDhcpd(text: string): Imported {
  const { hosts, broken } = readHosts(unix(text))
  return gather(hosts.map(rowOf), broken, { name: 'its name', ip: 'fixed-address', mac: 'hardware ethernet' })
}

const statementsFor = { mac: 'hardware ethernet ', ip: 'fixed-address ', name: 'option host-name ' }

function rowOf({ line, words: [, declared = ''], statements }: Host): Row {
  const values = new Map<Key, Row['values'][number]>([['name', { key: 'name', value: declared, line }]])
  for (const statement of statements) {
    const said = statement.words.join(' ')
    for (const [key, start] of Object.entries(statementsFor)) {
      if (!isKey(key) || !said.toLowerCase().startsWith(start)) continue
      values.set(key, { key, value: said.slice(start.length), line: statement.line })
    }
  }
  return { line, values: [...values.values()] }
}

/** A header row and all of `client/add`'s keys; `readCsv` reads it back. */
export function writeCsv(computers: readonly New<Computer>[]): string {
  return writeRecords([keys, ...computers.map(computer => keys.map(key => String(computer[key])))])
}

/** Without the byte-order mark, and with the line ends that both readers count. */
const unix = (text: string) => text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n')
