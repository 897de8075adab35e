// Whether a client has the address and the hardware address of its record, and which record may be that of a pending one.
import type { DoctorFinding } from '../contract/services.ts'
import type { ClientDeps, Subject } from './client-findings.ts'
import { fine, problem, warning } from './finding.ts'

export async function checkRecord({ addr, computer, status }: Subject, deps: ClientDeps) {
  if (computer) return fine('record', `${computer.name} has a record`)
  if (status === undefined)
    return problem('record', `there is no computer ${addr}`, 'look for its address: fleet clients, fleet pending')
  const same = (await deps.reports.likelyRecords()).get(addr)
  if (!same) return warning('record', 'it is connected and has no record', `fleet adopt ${addr} --room …`)
  return warning('record', `it has no record, and ${same.text}`, same.advice)
}

/** One for all connected clients without a record whose hardware address or name a record has. */
export async function checkNewAddresses({ reports }: Pick<ClientDeps, 'reports'>): Promise<DoctorFinding[]> {
  const [first, ...others] = await reports.likelyRecords()
  if (!first) return []
  const [addr, { text, advice }] = first
  const more = others.length === 0 ? '' : `; and ${others.length} more such clients: fleet pending`
  return [warning('address', `${addr} has no record, and ${text}${more}`, advice)]
}

export async function checkAddress(
  { addr, computer, status, hello }: Subject,
  deps: ClientDeps,
): Promise<DoctorFinding[]> {
  if (!computer) return []
  const recorded = computer.mac.toLowerCase()
  const pending = status === undefined ? await pendingOf(addr, deps) : undefined
  if (pending !== undefined) {
    const [client, { same, advice }] = pending
    return [problem('address', `its ${same} is that of the pending client ${client}`, advice)]
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

/** The connected client without a record that has the hardware address or the name of this record, by its address. */
async function pendingOf(ip: string, { reports }: ClientDeps) {
  return Array.from(await reports.likelyRecords()).find(([, likely]) => likely.ip === ip)
}
