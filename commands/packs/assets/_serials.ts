// Which serial numbers are none, and which computers have the same one.
import type { Rights } from 'fleet-host'
import { pagesOf } from './_asset-facts.ts'
import type { Context } from './_asset-schemas.ts'

/** What makers leave in place of a number, in lower case and without spaces and signs. */
const placeholders = new Set(
  (
    'baseboardserialnumber chassisserialnumber default defaultstring empty invalid na none notapplicable ' +
    'notavailable notspecified null oem sernum serial serialnumber systemserialnumber tobefilled tobefilledbyoem ' +
    'undefined unknown'
  ).split(' '),
)

const plainOf = (serial: string) => serial.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** `more`: texts of the settings. */
export function isJunk(serial: string, more: readonly string[]): boolean {
  const plain = plainOf(serial)
  if (placeholders.has(plain) || /^(.?)\1*$/u.test(plain)) return true
  if (plain.length >= 6 && ['0123456789', '1234567890'].some(digits => digits.startsWith(plain))) return true
  return more.some(text => plainOf(text) === plain)
}

export interface Serials {
  /** By address of each computer whose serial number others have, too: their addresses. */
  repeated: ReadonlyMap<string, string[]>
  /** By address what is no serial number. */
  junk: ReadonlyMap<string, string>
}

/** Of all computers within these rights. */
export async function readSerials({ services, settings }: Context, rights: Rights): Promise<Serials> {
  const bySerial = new Map<string, string[]>()
  const junk = new Map<string, string>()
  for await (const { client, serial = '' } of pagesOf(
    { where: 'serial:*', columns: 'client,serial' },
    rights,
    services,
  )) {
    const key = serial.trim().toLowerCase()
    const others = bySerial.get(key)
    if (isJunk(serial, settings.junk)) junk.set(client, serial)
    else if (others) others.push(client)
    else bySerial.set(key, [client])
  }
  const groups = [...bySerial.values()].filter(clients => clients.length > 1)
  const othersOf = (clients: readonly string[]) =>
    clients.map(client => [client, clients.filter(other => other !== client)] as const)
  return { repeated: new Map(groups.flatMap(othersOf)), junk }
}
