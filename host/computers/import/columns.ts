// The columns of an import: the keys of `client/add`, and how the value of each is checked.
import { isIPv4 } from 'node:net'
import type { Computer, New } from '../../../stores/store.ts'

/** A record in flat form: `row` and `column` are those of its place, 0 without one. */
export type FlatComputer = Omit<New<Computer>, 'place'> & { row: number; column: number }

export type Key = keyof FlatComputer

export function flatten({ place, ...computer }: New<Computer>): FlatComputer {
  return { ...computer, row: place?.row ?? 0, column: place?.column ?? 0 }
}

/** Values that name a record of the store: a name, or digits, which are an id. */
export type References = Record<'room' | 'repo_id', string>

/** The valid values of a row so far. */
export type Draft = Partial<Omit<FlatComputer, keyof References> & References>

/** Puts a value into the row, or returns what is expected instead. */
type Column = (row: Draft, value: string) => string | undefined

type KeyOf<Type> = { [K in Key]-?: Draft[K] extends Type | undefined ? K : never }[Key]

const text =
  (key: KeyOf<string>): Column =>
  (row, value) => {
    row[key] = value
    return undefined
  }

function requiredText(key: KeyOf<string>): Column {
  const put = text(key)
  return (row, value) => (value === '' ? 'a text' : put(row, value))
}

const address =
  (key: KeyOf<string>): Column =>
  (row, value) => {
    if (!isIPv4(value)) return 'an IPv4 address'
    row[key] = value
    return undefined
  }

/** '' for none. */
function optionalAddress(key: KeyOf<string>): Column {
  const [put, putAddress] = [text(key), address(key)]
  return (row, value) => (value === '' ? put(row, value) : putAddress(row, value))
}

/** With more digits numbers are not exact. */
const integer =
  (key: KeyOf<number>): Column =>
  (row, value) => {
    if (!/^\d{1,15}$/.test(value)) return 'a whole number'
    row[key] = Number(value)
    return undefined
  }

/** '' for no place. */
const seat =
  (key: 'row' | 'column'): Column =>
  (row, value) => {
    if (!/^([1-9]\d?)?$/.test(value)) return 'a whole number from 1 to 99'
    row[key] = Number(value)
    return undefined
  }

const flags = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

const flag =
  (key: KeyOf<boolean>): Column =>
  (row, value) => {
    const state = flags.get(value.toLowerCase())
    if (state === undefined) return 'true or false'
    row[key] = state
    return undefined
  }

/** With or without separators; dhcpd.conf may have octets of one digit. */
const hardwareAddress: Column = (row, value) => {
  const octets = /^([0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}$/i.test(value) ? value.split(/[:-]/) : [value]
  const mac = octets.map(octet => octet.padStart(2, '0')).join('')
  if (!/^[0-9a-f]{12}$/i.test(mac)) return '12 hex digits'
  row.mac = mac
  return undefined
}

/** The keys of `client/add`, with `row` and `column` for its `place`, in the order in which they are exported. */
export const columns: Record<Key, Column> = {
  name: requiredText('name'),
  ip: address('ip'),
  mac: hardwareAddress,
  room: requiredText('room'),
  netmask: optionalAddress('netmask'),
  boot: text('boot'),
  remote: flag('remote'),
  serial_number: text('serial_number'),
  hardware_id: integer('hardware_id'),
  repo_id: requiredText('repo_id'),
  netiface: text('netiface'),
  netdriver: text('netdriver'),
  livedir: text('livedir'),
  maintenance: flag('maintenance'),
  row: seat('row'),
  column: seat('column'),
}

export const isKey = (name: string): name is Key => Object.hasOwn(columns, name)

export const keys = Object.keys(columns).filter(isKey)
