// Rows of computers out of a text: what each value must look like, and which rows contradict each other.
import { isIPv4 } from 'node:net'
import type { Computer, New } from '../../stores/store.ts'

/** A computer as a text tells of it; `line` is where it begins. Values that the text does not have are absent. */
export interface ImportedComputer extends Partial<New<Computer>> {
  line: number
  name: string
  ip: string
  mac: string
}

/** All that is wrong with a line; where a computer spans several, with the line that has the wrong value. */
export interface ImportConflict {
  line: number
  reason: string
}

/** Computers without a conflict, in the order of the text; conflicts in the order of their lines, one a line. */
export interface Imported {
  computers: ImportedComputer[]
  conflicts: ImportConflict[]
}

export type Key = keyof New<Computer>

/** A row before its values are checked; '' counts as absent. */
export interface Row {
  line: number
  values: { key: Key; value: string; line: number }[]
}

type Draft = Partial<New<Computer>>

/** Puts a value into the row, or says what would be right. */
type Column = (row: Draft, value: string) => string | undefined

type KeyOf<Type> = { [K in Key]: New<Computer>[K] extends Type ? K : never }[Key]

const text =
  (key: KeyOf<string>): Column =>
  (row, value) => {
    row[key] = value
    return undefined
  }

const address =
  (key: KeyOf<string>): Column =>
  (row, value) => {
    row[key] = value
    return isIPv4(value) ? undefined : 'an IPv4 address'
  }

const whole =
  (key: KeyOf<number>): Column =>
  (row, value) => {
    row[key] = Number(value)
    return /^\d{1,9}$/.test(value) ? undefined : 'a whole number'
  }

const flags = new Map([
  ...['true', 'yes', '1'].map(word => [word, true] as const),
  ...['false', 'no', '0'].map(word => [word, false] as const),
])

const flag =
  (key: KeyOf<boolean>): Column =>
  (row, value) => {
    const found = flags.get(value.toLowerCase())
    row[key] = found ?? false
    return found === undefined ? 'true or false' : undefined
  }

/** With or without separators; dhcpd takes octets of one digit, too. */
const hardware: Column = (row, value) => {
  const octets = /^([0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}$/i.test(value) ? value.split(/[:-]/) : [value]
  row.mac = octets.map(octet => octet.padStart(2, '0')).join('')
  return /^[0-9a-f]{12}$/i.test(row.mac) ? undefined : '12 hex digits'
}

/** The keys of `client/add`, in the order in which they are exported. */
export const columns: Record<Key, Column> = {
  name: text('name'),
  ip: address('ip'),
  mac: hardware,
  room: whole('room'),
  netmask: address('netmask'),
  boot: text('boot'),
  remote: flag('remote'),
  serial_number: text('serial_number'),
  hardware_id: whole('hardware_id'),
  repo_id: whole('repo_id'),
  netiface: text('netiface'),
  netdriver: text('netdriver'),
  livedir: text('livedir'),
  maintenance: flag('maintenance'),
}

export const isKey = (name: string): name is Key => Object.hasOwn(columns, name)

/** What every computer must have, and how the text's format calls it. */
export type Words = Record<'name' | 'ip' | 'mac', string>

/** Checks all rows, `unread` are conflicts of lines that no row came of. */
export function gather(rows: Row[], unread: ImportConflict[], words: Words): Imported {
  const computers: ImportedComputer[] = []
  const conflicts = [...unread]
  const seen = new Map<string, number>()
  for (const row of rows) {
    const draft: Draft = {}
    const wrong = [...misfits(row, draft), ...absences(row, words), ...repeats(row, draft, seen)]
    const { name, ip, mac } = draft
    if (wrong.length === 0 && name && ip && mac) computers.push({ ...draft, line: row.line, name, ip, mac })
    conflicts.push(...wrong)
  }
  return { computers, conflicts: byLine(conflicts) }
}

function misfits({ values }: Row, draft: Draft): ImportConflict[] {
  return values.flatMap(({ key, value, line }) => {
    const right = value === '' ? undefined : columns[key](draft, value)
    if (right === undefined) return []
    return { line, reason: `${key}: wrong form, got ${JSON.stringify(value.slice(0, 80))}; ${right} would be right` }
  })
}

function absences({ line, values }: Row, words: Words): ImportConflict[] {
  const has = (wanted: string) => values.some(({ key, value }) => key === wanted && value !== '')
  return Object.entries(words).flatMap(([key, word]) =>
    has(key) ? [] : { line, reason: `${key}: ${word} is missing` },
  )
}

/** An address that an earlier row has; a computer in two rows is a mistake in one of them. */
function repeats({ line, values }: Row, draft: Draft, seen: Map<string, number>): ImportConflict[] {
  return (['ip', 'mac'] as const).flatMap(key => {
    const address = draft[key]?.toLowerCase()
    if (address === undefined) return []
    const before = seen.get(`${key} ${address}`)
    if (before === undefined) seen.set(`${key} ${address}`, line)
    const at = values.find(value => value.key === key)?.line ?? line
    return before === undefined ? [] : { line: at, reason: `${key}: repeated, got ${address}; line ${before} has it` }
  })
}

function byLine(conflicts: ImportConflict[]): ImportConflict[] {
  const lines = new Map<number, string[]>()
  for (const { line, reason } of conflicts) lines.set(line, [...(lines.get(line) ?? []), reason])
  return [...lines]
    .sort(([one], [other]) => one - other)
    .map(([line, reasons]) => ({ line, reason: reasons.join(', and ') }))
}
