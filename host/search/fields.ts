// The fields of queries: what each means, and the condition that a term of it is.
import { isIPv4 } from 'node:net'
import { patternTest } from '../../stores/rules/search/text-pattern.ts'
import type { SearchNumber, SearchText, Where } from '../../stores/store.ts'
import type { LiveFacts } from './live-facts.ts'
import { type Operator, QueryError, type Term } from './parse-query.ts'
import { seen } from './seen-field.ts'

export interface Field {
  about: string
  example: string
  toWhere(term: Term, facts: LiveFacts): Where | Promise<Where>
}

/** Where the condition of a term comes from; throws a `QueryError` for a value that it cannot have. */
type ToWhere = Field['toWhere']

const refuse = ({ valueAt }: Term, message: string): never => {
  throw new QueryError(valueAt, message)
}

/** The text that a term asks for, in lower case. */
function textOf(term: Term): string {
  if (term.operator !== ':' && term.operator !== '=')
    refuse(term, `${term.field}: expected ":", got "${term.operator}"`)
  if (term.version) refuse(term, `${term.field}: expected a text without "${term.version.operator}"`)
  return term.value.toLowerCase()
}

/** Of a longer text: any place in it, unless the term has a `*` or `=`. */
function partOf(term: Term): string {
  const text = textOf(term)
  return term.operator === '=' || text.includes('*') ? text : `*${text}*`
}

const whole =
  (text: SearchText): ToWhere =>
  term => ({ text, like: textOf(term) })

const part =
  (text: SearchText): ToWhere =>
  term => ({ text, like: partOf(term) })

const device =
  (device: string): ToWhere =>
  term => ({ device, like: partOf(term) })

const isOneOf = (addresses: readonly string[]): Where => ({ in: addresses })

/** Patterns for the addresses of a network: one for each value of the octet in which it ends. */
function inNetwork(term: Term, address: string, bits: number): Where {
  if (!isIPv4(address) || !(bits >= 0 && bits <= 32))
    refuse(term, `ip: expected an address or a network, got ${term.value}`)
  if (bits === 0) return { text: 'ip', like: '*.*.*.*' }
  const octets = address.split('.').map(Number)
  const last = Math.ceil(bits / 8) - 1
  const count = 2 ** (8 * (last + 1) - bits)
  const first = Math.floor((octets[last] ?? 0) / count) * count
  const patterns = Array.from({ length: count }, (_, at) => {
    const start = [...octets.slice(0, last), first + at].join('.')
    return last === 3 ? start : `${start}.*`
  })
  return last === 3 ? isOneOf(patterns) : { or: patterns.map(like => ({ text: 'ip', like })) }
}

const ip: ToWhere = term => {
  const text = textOf(term)
  const [, address = '', bits] = /^([\d.]+)\/(\d{1,2})$/.exec(text) ?? []
  return bits === undefined ? { text: 'ip', like: text } : inNetwork(term, address, Number(bits))
}

/** MiB of one unit: memory is counted in powers of 1024, disks as they are sold in powers of 1000. */
const unitSizes = (base: number): Record<string, number> =>
  Object.fromEntries(['k', 'm', 'g', 't'].map((unit, at) => [unit, base ** (at + 1) / 1024 ** 2]))
const binary = unitSizes(1024)

/** Sizes that differ by this part are the same: 16 GB of memory are reported as 15.5 GiB, which is not less than 16 GB. */
const tolerance = 0.07

/** Undefined for a value that is no number with such a unit. */
function sizeOf({ value }: Term, units: Record<string, number>): number | undefined {
  const [, number, unit = 'g', isBinary] = /^(\d{1,9}(?:\.\d{1,6})?) ?(?:([kmgt])(i)?b?)?$/i.exec(value) ?? []
  return number === undefined ? undefined : Number(number) * ((isBinary ? binary : units)[unit.toLowerCase()] ?? 0)
}

function hasSize(number: SearchNumber, operator: Operator, size: number): Where {
  const [least, most] = [size * (1 - tolerance), size * (1 + tolerance)]
  const is = (operator: '<' | '<=' | '>' | '>=', value: number): Where => ({ number, compare: { operator, value } })
  if (operator === '<' || operator === '>=') return is(operator, least)
  if (operator === '<=' || operator === '>') return is(operator, most)
  return { and: [is('>=', least), is('<=', most)] }
}

const memory: ToWhere = term => {
  const size = sizeOf(term, binary) ?? refuse(term, `ram: expected a size such as 8GB, got ${term.value}`)
  return hasSize('memory', term.operator, size)
}

const decimal = unitSizes(1000)

/** A size with a unit or a comparison, else a part of the name of a disk. */
const disk: ToWhere = term => {
  const size = /[a-z]$/i.test(term.value) || term.operator !== ':' ? sizeOf(term, decimal) : undefined
  if (size !== undefined) return hasSize('disk', term.operator, size)
  if (term.operator === ':' || term.operator === '=') return { device: 'disk', like: partOf(term) }
  return refuse(term, `disk: expected a size such as 500GB, got ${term.value}`)
}

const used: ToWhere = term => {
  const [, percent] = /^(\d{1,3}(?:\.\d{1,3})?)%?$/.exec(term.value) ?? []
  if (percent === undefined) return refuse(term, `used: expected percent, got ${term.value}`)
  const operator = term.operator === ':' ? '=' : term.operator
  return { number: 'used', compare: { operator, value: Number(percent) } }
}

const software: ToWhere = term => {
  const { version, ...others } = term
  const program = partOf(others)
  if (version && !/^\d/.test(version.value)) refuse(term, `software: expected a version, got ${version.value}`)
  return version ? { program, version } : { program }
}

const [yes, no] = [new Set(['yes', 'true', '1']), new Set(['no', 'false', '0'])]

const maintenance: ToWhere = term => {
  const text = textOf(term)
  if (!yes.has(text) && !no.has(text)) refuse(term, `maintenance: expected yes or no, got ${term.value}`)
  return { maintenance: yes.has(text) }
}

export const states: readonly string[] =
  'on off waking oglive busy virtual linux linux-session windows windows-session'.split(' ')

/** The words of other tools. */
const otherStates = new Map([
  ['online', 'on'],
  ['offline', 'off'],
])

const state: ToWhere = (term, facts) => {
  const text = otherStates.get(textOf(term)) ?? textOf(term)
  if (!states.includes(text)) refuse(term, `state: expected ${states.join(', ')}, got ${term.value}`)
  const clients = facts.clients()
  const isWaking = ({ state }: (typeof clients)[number]) => state === 'WOL_SENT'
  const addressesOf = (is: (client: (typeof clients)[number]) => boolean) =>
    isOneOf(clients.filter(is).map(({ addr }) => addr))
  if (text === 'waking') return addressesOf(isWaking)
  if (text === 'off') return { not: addressesOf(() => true) }
  return addressesOf(client => !isWaking(client) && (text === 'on' || client.status === text))
}

const user: ToWhere = (term, facts) => {
  const matches = patternTest(textOf(term))
  const sessions = facts.sessions().filter(({ user = '' }) => term.value === '*' || matches(user))
  return isOneOf(sessions.map(({ client }) => client))
}

const failed: ToWhere = async (term, facts) => {
  const matches = patternTest(partOf(term))
  const failures = (await facts.failures()).filter(({ command }) => matches(command))
  return isOneOf([...new Set(failures.map(({ client }) => client))])
}

/** In the order of the documentation. */
export const fields: Readonly<Record<string, Field>> = {
  name: { about: 'its host name', example: 'name:lab-r01-*', toWhere: whole('name') },
  ip: { about: 'its address, or a network', example: 'ip:10.1.0.0/24', toWhere: ip },
  mac: {
    about: 'its hardware address, with or without separators',
    example: 'mac:00:1b:21:*',
    toWhere: term => ({ text: 'mac', like: textOf(term).replaceAll(/[:.-]/g, '') }),
  },
  computer_id: { about: 'the id of its record', example: 'computer_id:12', toWhere: whole('computer_id') },
  serial: { about: 'its serial number', example: 'serial:5CG*', toWhere: whole('serial_number') },
  room: { about: 'the name of its room', example: 'room:"Lab 1"', toWhere: whole('room') },
  room_id: { about: 'the id of its room', example: 'room_id:1', toWhere: whole('room_id') },
  center: { about: 'the name of its center', example: 'center:"Faculty of Arts"', toWhere: whole('center') },
  center_id: { about: 'the id of its center', example: 'center_id:1', toWhere: whole('center_id') },
  tag: { about: 'a tag of it or of its room', example: 'tag:cad', toWhere: whole('tag') },
  group: {
    about: 'a group, by its name or id',
    example: 'group:"Exam seats"',
    toWhere: (term, facts) => facts.group(textOf(term)) ?? refuse(term, `group: there is no group ${term.value}`),
  },
  state: { about: `${states.join(', ')}`, example: 'state:off', toWhere: state },
  user: { about: 'who is logged in; `*`: somebody', example: 'user:anna', toWhere: user },
  failed: { about: 'part of the name of a command that has failed there', example: 'failed:restore', toWhere: failed },
  seen: { about: 'how long ago it was connected', example: 'seen>30d', toWhere: seen },
  os: { about: 'part of the name of an installed operating system', example: 'os:windows', toWhere: part('system') },
  image: { about: 'the image of one of its partitions', example: 'image:win11', toWhere: whole('image') },
  software: {
    about: 'part of a line of a list of software, maybe with a version',
    example: 'software:blender>=3.6',
    toWhere: software,
  },
  ram: { about: 'its memory; sizes that differ by 7 % are the same', example: 'ram<8GB', toWhere: memory },
  disk: {
    about: 'the size of its largest disk, or part of the name of one',
    example: 'disk:nvme disk>=500GB',
    toWhere: disk,
  },
  used: { about: 'percent that are used of its fullest partition', example: 'used>90', toWhere: used },
  cpu: { about: 'part of the name of its processor', example: 'cpu:i5', toWhere: device('processor') },
  model: { about: 'part of the name of its model', example: 'model:optiplex', toWhere: device('computer model') },
  device: { about: 'part of the name of any of its devices', example: 'device:nvidia', toWhere: device('') },
  boot: { about: 'its boot mode', example: 'boot:pxe', toWhere: whole('boot') },
  repository: {
    about: 'the name of the repository of its images',
    example: 'repository:default',
    toWhere: whole('repository'),
  },
  maintenance: { about: 'yes or no', example: 'maintenance:yes', toWhere: maintenance },
}

/** A word without a field: part of a name, an address, a serial number or a hardware address such as `001b.2100.0002`. */
export function freeWord(term: Term): Where {
  const [like, texts] = [partOf(term), ['name', 'ip', 'serial_number', 'mac'] as const]
  const digits = like.replaceAll(/[:-]|(?<=[0-9a-f]{4})\./gi, '')
  return { or: texts.map(text => ({ text, like: text === 'mac' ? digits : like })) }
}
