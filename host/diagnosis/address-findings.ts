// Whether a client has the address and the hardware address of its record, and which record may be that of a pending one.
import type { DoctorFinding, Hello } from '../contract/services.ts'
import type { ClientDeps, Subject } from './client-findings.ts'
import { fine, problem, warning } from './finding.ts'

export async function checkRecord({ addr, computer, status, hello }: Subject, deps: ClientDeps) {
  if (computer) return fine('record', `${computer.name} has a record`)
  if (status === undefined)
    return problem('record', `there is no computer ${addr}`, 'look for its address: fleet clients, fleet pending')
  const macs = macsOf(addr, hello, await deps.reports.neighbours())
  const other = (await deps.store.computers.list()).find(({ mac }) => macs.includes(mac.toLowerCase()))
  if (!other) return warning('record', 'it is connected and has no record', `fleet adopt ${addr} --room …`)
  const text = `it has no record, and its hardware address ${other.mac} is that of ${other.name} (${other.ip})`
  const isOn = deps.fleet.clients().some(client => client.addr === other.ip && client.status !== undefined)
  if (isOn)
    return warning(
      'record',
      `${text}, which is connected, too`,
      `two agents or network cards of one computer? Else fleet adopt ${addr} --room … --mac with its own`,
    )
  return warning('record', text, `if it is that computer: ${newAddress(other.ip, addr)}`)
}

export async function checkAddress(
  { addr, computer, status, hello }: Subject,
  deps: ClientDeps,
): Promise<DoctorFinding[]> {
  if (!computer) return []
  const recorded = computer.mac.toLowerCase()
  const pending = status === undefined ? await pendingWith(recorded, deps) : undefined
  if (pending !== undefined) {
    const text = `its hardware address ${recorded} is that of the pending client ${pending}`
    return [problem('address', text, `change the address of its record: ${newAddress(addr, pending)}`)]
  }
  const seen = (await deps.reports.neighbours()).get(addr)
  const [other] = [...(seen ?? []), ...(hello.mac === undefined ? [] : [hello.mac])].filter(mac => mac !== recorded)
  if (other !== undefined && !seen?.includes(recorded)) {
    const source = seen ? 'the network' : 'its agent'
    const text = `its record has ${recorded}, ${source} says ${other}; wake-ups go to that of the record`
    const advice = `another computer may have its address (DHCP); else fleet computer edit ${addr} --mac ${other}`
    return [problem('hardware address', text, advice)]
  }
  if (seen ?? hello.mac) return [fine('hardware address', `${recorded}, as in its record`)]
  return [fine('hardware address', `${recorded} in its record; neither the network nor its agent says another one now`)]
}

const newAddress = (from: string, to: string) => `fleet computer edit ${from} --ip ${to}`

/** That which the agent says, or else those that the network says. */
const macsOf = (addr: string, { mac }: Hello, neighbours: ReadonlyMap<string, string[]>) =>
  mac === undefined ? (neighbours.get(addr) ?? []) : [mac]

/** The address of a connected client without a record that has this hardware address. */
async function pendingWith(mac: string, { fleet, reports }: ClientDeps): Promise<string | undefined> {
  const neighbours = await reports.neighbours()
  return fleet.clients().find(({ addr }) => {
    const hello = reports.find(addr)
    return hello && macsOf(addr, hello, neighbours).includes(mac)
  })?.addr
}
