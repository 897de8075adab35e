// Which records have the hardware address of a connected client without a record: the computer may have a new address.
import type { Computer, Frozen } from '../../stores/store.ts'
import type { Hello } from '../contract/services.ts'

/** `ip`: of the record. */
export interface SameMac {
  ip: string
  text: string
  advice: string
}

/** The command for a computer that connects from another address than its record has. */
export const newAddress = (from: string, to: string) => `fleet computer edit ${from} --ip ${to}`

/** `isOn`: whether the computer of the record is connected, too. */
export function describeSameMac(
  addr: string,
  { ip, name, mac }: Pick<Computer, 'ip' | 'name' | 'mac'>,
  isOn: boolean,
): SameMac {
  const text = `its hardware address ${mac} is that of ${name} (${ip})`
  if (!isOn) return { ip, text, advice: `if it is that computer: ${newAddress(ip, addr)}` }
  const advice = `two agents or network cards of one computer? Else fleet adopt ${addr} --room <room> --mac with its own`
  return { ip, text: `${text}, which is connected, too`, advice }
}

interface Deps {
  /** Asked only when the hardware address of a client is known. */
  computers(): Promise<readonly Frozen<Computer>[]>
  isOn(addr: string): boolean
}

/** By the address of the client. `neighbours`: where its agent says nothing, the network may say several. */
export async function findSameMacs(
  clients: readonly (readonly [string, Hello])[],
  neighbours: ReadonlyMap<string, string[]>,
  { computers, isOn }: Deps,
): Promise<Map<string, SameMac>> {
  const known = clients.map(
    ([addr, { mac }]) => [addr, mac === undefined ? (neighbours.get(addr) ?? []) : [mac]] as const,
  )
  const found = new Map<string, SameMac>()
  if (known.every(([, macs]) => macs.length === 0)) return found
  const records = new Map((await computers()).map(computer => [computer.mac.toLowerCase(), computer]))
  for (const [addr, macs] of known) {
    const [other] = macs.flatMap(mac => records.get(mac) ?? [])
    if (other) found.set(addr, describeSameMac(addr, other, isOn(other.ip)))
  }
  return found
}
