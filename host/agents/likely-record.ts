// Of which records connected clients without a record may be: such a computer may have a new address.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { Computer, Frozen } from '../../stores/store.ts'
import type { Hello } from '../contract/services.ts'

/** `ip`: of the record. `same`: what it has in common with the client. */
export interface LikelyRecord {
  ip: string
  same: string
  text: string
  advice: string
}

/** The command for a computer that connects from another address than its record has. */
export const newAddress = (from: string, to: string) => `fleet computer edit ${from} --ip ${to}`

/** Of a host name, in small letters and without its domain. */
export const shortName = (name: string) => name.toLowerCase().split('.')[0] ?? ''

/** `isOn`: whether the computer of the record is connected, too. */
export function describeSameMac(
  addr: string,
  { ip, name, mac }: Pick<Computer, 'ip' | 'name' | 'mac'>,
  isOn: boolean,
): LikelyRecord {
  const same = `hardware address ${mac}`
  const text = `its ${same} is that of ${name} (${ip})`
  if (!isOn) return { ip, same, text, advice: `if it is that computer: ${newAddress(ip, addr)}` }
  const advice = `two agents or network cards of one computer? Else fleet adopt ${addr} --room <room> --mac with its own`
  return { ip, same, text: `${text}, which is connected, too`, advice }
}

/** `mac`: of the client, where it is known. */
function describeSameName(addr: string, { ip, name }: Frozen<Computer>, mac: string | undefined): LikelyRecord {
  const same = `name ${name}`
  const change = `${newAddress(ip, addr)}${mac === undefined ? '' : ` --mac ${mac}`}`
  return { ip, same, text: `its ${same} is that of ${ip}`, advice: `if it is that computer: ${change}` }
}

interface Deps {
  /** Asked only when the hardware address or the name of a client is known. */
  computers(): Promise<readonly Frozen<Computer>[]>
  isOn(addr: string): boolean
}

/**
 * By the address of the client. `neighbours`: where its agent says nothing, the network may say several. A name counts
 * where only one record has it, whose computer is not connected.
 */
export async function findLikelyRecords(
  clients: readonly (readonly [string, Hello])[],
  neighbours: ReadonlyMap<string, string[]>,
  { computers, isOn }: Deps,
): Promise<Map<string, LikelyRecord>> {
  const known = clients.map(([addr, { mac, name }]) => {
    return { addr, name, macs: mac === undefined ? (neighbours.get(addr) ?? []) : [mac] }
  })
  const found = new Map<string, LikelyRecord>()
  if (known.every(({ macs, name }) => macs.length === 0 && name === undefined)) return found
  const records = await computers()
  const byMac = new Map(records.map(computer => [computer.mac.toLowerCase(), computer]))
  const byName = groupBy(records, ({ name }) => shortName(name))
  for (const { addr, name, macs } of known) {
    const [other] = macs.flatMap(mac => byMac.get(mac) ?? [])
    const [named, ...more] = (name !== undefined && byName.get(shortName(name))) || []
    if (other) found.set(addr, describeSameMac(addr, other, isOn(other.ip)))
    else if (named && more.length === 0 && !isOn(named.ip)) found.set(addr, describeSameName(addr, named, macs[0]))
  }
  return found
}
