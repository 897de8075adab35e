// The columns of a list of computers, which are the keys of `client/add`: how the value of each is read and written.
import { isIPv4 } from 'node:net'
import { toTags } from '../../../stores/rules/tags.ts'
import type { Computer, New } from '../../../stores/store.ts'
import { mostTags, tagPattern } from '../../contract/named-schemas.ts'

/** Values that name a record of the store: a name, or digits, which are an id. */
export type References = Record<'room' | 'repo_id', string>

/** A record with names in place of ids; `row` and `column` are those of its seat, 0 without one; `tags` with spaces between. */
export type ListedComputer = Omit<New<Computer>, 'place' | 'tags' | keyof References> &
  References & { row: number; column: number; tags: string }

export type Key = keyof ListedComputer

/** The valid values of a row so far. */
export type Draft = Partial<ListedComputer>

interface Column<Value> {
  expected: string
  /** Undefined for any other text. */
  read(text: string): Value | undefined
  /** An empty cell is written where the value is none; otherwise it stands for the value of a new computer. */
  none?: Value
}

const text: Column<string> = { expected: 'a text', read: value => value }
const requiredText: Column<string> = { expected: 'a text', read: value => value || undefined }
const address: Column<string> = { expected: 'an IPv4 address', read: value => (isIPv4(value) ? value : undefined) }
const optionalAddress: Column<string> = {
  expected: address.expected,
  read: value => (value === '' ? value : address.read(value)),
}

/** With more digits numbers are not exact. */
const integer: Column<number> = {
  expected: 'a whole number',
  read: value => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
}

const seatNumber: Column<number> = {
  expected: 'a whole number from 1 to 99',
  read: value => (/^([1-9]\d?)?$/.test(value) ? Number(value) : undefined),
  none: 0,
}

const tag = new RegExp(tagPattern, 'u')

const tags: Column<string> = {
  expected: `at most ${mostTags} tags with spaces between`,
  read(value) {
    const words = toTags(value.split(/\s+/).filter(word => word !== ''))
    return words.length <= mostTags && words.every(word => tag.test(word)) ? words.join(' ') : undefined
  },
  none: '',
}

const [yes, no] = [new Set(['true', 'yes', '1']), new Set(['false', 'no', '0'])]

const flag: Column<boolean> = {
  expected: 'true or false',
  read: value => yes.has(value.toLowerCase()) || (no.has(value.toLowerCase()) ? false : undefined),
}

/** With or without separators; dhcpd.conf may have octets of one digit. */
const hardwareAddress: Column<string> = {
  expected: '12 hex digits',
  read(value) {
    const octets = /^([0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}$/i.test(value) ? value.split(/[:-]/) : [value]
    const mac = octets.map(octet => octet.padStart(2, '0')).join('')
    return /^[0-9a-f]{12}$/i.test(mac) ? mac : undefined
  },
}

/** In the order in which they are exported. */
export const columns: { [K in Key]: Column<ListedComputer[K]> } = {
  name: requiredText,
  ip: address,
  mac: hardwareAddress,
  room: requiredText,
  netmask: optionalAddress,
  boot: text,
  remote: flag,
  serial_number: { ...text, none: '' },
  hardware_id: integer,
  repo_id: requiredText,
  netiface: text,
  netdriver: text,
  livedir: text,
  maintenance: flag,
  row: seatNumber,
  column: seatNumber,
  tags,
}

export const isKey = (name: string): name is Key => Object.hasOwn(columns, name)

export const keys = Object.keys(columns).filter(isKey)

/** The text of a value; '' for none. */
export const textOf = (key: Key, { [key]: value }: ListedComputer): string =>
  value === columns[key].none ? '' : String(value)
