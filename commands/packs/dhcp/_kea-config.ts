// The parts of Kea's configuration that this pack reads and writes.
import { bootEntries, firmwares, tagOf } from './_boot-options.ts'
import type { Settings } from './_dhcp-schemas.ts'
import type { Reservation } from './_server-state.ts'

/** Objects of Kea that this pack has made have it in their user-context. */
const mark = 'fleet-host'

type Marked = { 'user-context'?: { [mark]?: unknown } }

export interface KeaReservation extends Marked {
  'hw-address'?: string
  'ip-address'?: string
  hostname?: string
  'client-classes'?: string[]
}

export interface KeaSubnet {
  id: number
  subnet: string
  reservations?: KeaReservation[]
}

interface KeaClass extends Marked {
  name: string
  test?: string
  'next-server'?: string
  'boot-file-name'?: string
}

export interface KeaConfig {
  subnet4?: KeaSubnet[]
  'shared-networks'?: { subnet4?: KeaSubnet[] }[]
  reservations?: KeaReservation[]
  'client-classes'?: KeaClass[]
  'hosts-database'?: object
  'hosts-databases'?: object[]
}

export const isMarked = (entry: Marked) => entry['user-context']?.[mark] === true

export const subnetsOf = (config: KeaConfig): KeaSubnet[] => [
  ...(config.subnet4 ?? []),
  ...(config['shared-networks'] ?? []).flatMap(({ subnet4 = [] }) => subnet4),
]

export const fromKea = (entry: KeaReservation, scope: number): Reservation => ({
  mac: entry['hw-address']?.toLowerCase() ?? '',
  ip: entry['ip-address'] ?? '',
  name: entry.hostname ?? '',
  tag: entry['client-classes']?.[0] ?? '',
  scope,
})

export const toKea = ({ mac, ip, name, tag }: Reservation): KeaReservation => ({
  'hw-address': mac,
  'ip-address': ip,
  ...(name !== '' && { hostname: name }),
  ...(tag !== '' && { 'client-classes': [tag] }),
  'user-context': { [mark]: true },
})

const numberOf = (ip: string) => ip.split('.').reduce((number, byte) => number * 256 + Number(byte), 0)

/** Finds the id of the smallest subnet that has an address. */
export function subnetFinder(subnets: readonly KeaSubnet[]): (ip: string) => number | undefined {
  const ranges = subnets.map(({ id, subnet }) => {
    const [address = '', length = '32'] = subnet.split('/')
    const size = 2 ** (32 - Number(length))
    return { id, size, first: Math.floor(numberOf(address) / size) }
  })
  ranges.sort((one, other) => one.size - other.size)
  return ip => ranges.find(({ size, first }) => Math.floor(numberOf(ip) / size) === first)?.id
}

/** One class for each room's reservations, which Kea knows after it has found them, and one for each kind of firmware. */
export function classesOf(settings: Pick<Settings, 'boot'>): KeaClass[] {
  const marked = { 'user-context': { [mark]: true } }
  return bootEntries(settings).flatMap(entry => {
    const name = tagOf(entry)
    const server = entry.next_server ? { 'next-server': entry.next_server } : {}
    const files = firmwares.flatMap(({ key, numbers }) => {
      if (!entry[key]) return []
      const types = numbers.map(number => `substring(option[93].hex,0,2) == 0x${number.toString(16).padStart(4, '0')}`)
      const test = `member('KNOWN') and member('${name}') and (${types.join(' or ')})`
      return [{ name: `${name}-${key}`, test, ...server, 'boot-file-name': entry[key], ...marked }]
    })
    return [{ name, ...server, ...marked }, ...files]
  })
}

const shown = ({ name, test = '', 'next-server': server = '', 'boot-file-name': file = '' }: KeaClass) =>
  [name, test, server === '0.0.0.0' ? '' : server, file].join('\n')

export const hasClasses = (config: KeaConfig, classes: readonly KeaClass[]) =>
  (config['client-classes'] ?? []).filter(isMarked).map(shown).join('\n') === classes.map(shown).join('\n')

/** Changes the configuration: the own entries and classes become these, all others stay as they are. */
export function replaceMarked(
  config: KeaConfig,
  reservations: readonly Reservation[],
  classes: readonly KeaClass[],
): void {
  for (const subnet of subnetsOf(config)) {
    const others = (subnet.reservations ?? []).filter(entry => !isMarked(entry))
    subnet.reservations = [...others, ...reservations.filter(({ scope }) => scope === subnet.id).map(toKea)]
  }
  const others = (config['client-classes'] ?? []).filter(entry => !isMarked(entry))
  config['client-classes'] = [...others, ...classes]
}
