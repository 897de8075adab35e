// The columns of an import: the keys of `client/add`, and how the value of each is checked.
import { isIPv4 } from 'node:net'
import type { Computer, New } from '../../../stores/store.ts'

export type Key = keyof New<Computer>

/** The valid values of a row so far. */
export type Draft = Partial<New<Computer>>

/** Puts a value into the row, or returns what is expected instead. */
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

const integer =
  (key: KeyOf<number>): Column =>
  (row, value) => {
    if (!/^\d{1,9}$/.test(value)) return 'a whole number'
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

/** The keys of `client/add`, in the order in which they are exported. */
export const columns: Record<Key, Column> = {
  name: text('name'),
  ip: address('ip'),
  mac: hardwareAddress,
  room: integer('room'),
  netmask: address('netmask'),
  boot: text('boot'),
  remote: flag('remote'),
  serial_number: text('serial_number'),
  hardware_id: integer('hardware_id'),
  repo_id: integer('repo_id'),
  netiface: text('netiface'),
  netdriver: text('netdriver'),
  livedir: text('livedir'),
  maintenance: flag('maintenance'),
}

export const isKey = (name: string): name is Key => Object.hasOwn(columns, name)
