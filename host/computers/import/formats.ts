// Reads lists of computers from CSV and dhcpd.conf, and writes them as CSV.
import type { Computer, New } from '../../../stores/store.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { columns, isKey, type Key } from './columns.ts'
import { readRecords, writeRecords } from './csv.ts'
import { type Host, readHosts } from './dhcpd.ts'
import { type Imported, type Row, validateRows } from './validate-rows.ts'

const keys = Object.keys(columns).filter(isKey)

/** CSV with a header row: keys of `client/add` in any order and case; `name`, `ip` and `mac` must be there. */
export function readCsv(text: string): Imported {
  const { records, errors } = readRecords(normalize(text))
  const [header = { line: 1, fields: [] }, ...rest] = records
  const names = header.fields.map(name => name.toLowerCase())
  const conflicts = [...errors, ...columnErrors(names).map(reason => ({ line: header.line, reason }))]
  const labels = { name: 'the value', ip: 'the value', mac: 'the value' }
  const missing = Object.keys(labels).filter(key => !names.includes(key))
  if (missing.length > 0) {
    // Reported once for the header instead of once for each line.
    const reasons = missing.map(key => ({ line: header.line, reason: `${key}: the column is missing` }))
    return validateRows([], [...conflicts, ...reasons], labels)
  }
  const rows: Row[] = []
  for (const { line, fields } of rest) {
    const count = `columns: expected ${names.length}, got ${fields.length}`
    if (fields.length !== names.length) conflicts.push({ line, reason: count })
    else rows.push({ line, values: valuesOf(names, fields, line) })
  }
  return validateRows(rows, conflicts, labels)
}

/** Errors of the column names; a column without a name is ignored. */
function columnErrors(names: string[]): string[] {
  const repeated = names.filter((name, index) => isKey(name) && names.indexOf(name) !== index)
  return [
    ...names.flatMap(name => (name === '' || isKey(name) ? [] : `columns: ${unknownKey(name, keys)}`)),
    ...repeated.map(name => `columns: expected one of each, got ${name} again`),
  ]
}

function valuesOf(names: string[], fields: string[], line: number): Row['values'] {
  return names.flatMap((key, index) => (isKey(key) ? { key, value: fields[index] ?? '', line } : []))
}

/** The hosts of a dhcpd.conf; a computer's name is the option host-name, or without it the name of the declaration. */
export function readDhcpd(text: string): Imported {
  const { hosts, errors } = readHosts(normalize(text))
  return validateRows(hosts.map(rowOf), errors, { name: 'its name', ip: 'fixed-address', mac: 'hardware ethernet' })
}

const statementsFor = { mac: 'hardware ethernet ', ip: 'fixed-address ', name: 'option host-name ' }

function rowOf({ line, words: [, declared = ''], statements }: Host): Row {
  const values = new Map<Key, Row['values'][number]>([['name', { key: 'name', value: declared, line }]])
  for (const statement of statements) {
    const content = statement.words.join(' ')
    for (const [key, start] of Object.entries(statementsFor)) {
      if (!isKey(key) || !content.toLowerCase().startsWith(start)) continue
      values.set(key, { key, value: content.slice(start.length), line: statement.line })
    }
  }
  return { line, values: [...values.values()] }
}

/** A header row and all of `client/add`'s keys; `readCsv` reads it back. */
export function writeCsv(computers: readonly New<Computer>[]): string {
  return writeRecords([keys, ...computers.map(computer => keys.map(key => String(computer[key])))])
}

/** Removes the byte order mark and converts line ends to line feeds, which both readers count. */
const normalize = (text: string) => text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n')
