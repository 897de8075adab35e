// The values that a text may tell of a computer: the keys of `client/add`, and what each must look like.
import { isIPv4 } from 'node:net'
import type { Computer, New } from '../../../stores/store.ts'

export type Key = keyof New<Computer>

/** What is right of a row so far. */
export type Draft = Partial<New<Computer>>

/** Puts a value into the row, or says what would be right instead. */
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
    if (!isIPv4(value)) return 'an IPv4 address'
    row[key] = value
    return undefined
  }

const whole =
  (key: KeyOf<number>): Column =>
  (row, value) => {
    if (!/^\d{1,9}$/.test(value)) return 'a whole number'
    row[key] = Number(value)
    return undefined
  }

const flags = new Map([
  ...['true', 'yes', '1'].map(word => [word, true] as const),
  ...['false', 'no', '0'].map(word => [word, false] as const),
])

const flag =
  (key: KeyOf<boolean>): Column =>
  (row, value) => {
    const found = flags.get(value.toLowerCase())
    if (found === undefined) return 'true or false'
    row[key] = found
    return undefined
  }

/** With or without separators; dhcpd takes octets of one digit, too. */
const hardware: Column = (row, value) => {
  const octets = /^([0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}$/i.test(value) ? value.split(/[:-]/) : [value]
  const mac = octets.map(octet => octet.padStart(2, '0')).join('')
  if (!/^[0-9a-f]{12}$/i.test(mac)) return '12 hex digits'
  row.mac = mac
  return undefined
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
