// Whether a client is connected, and the connections that this host has refused, of one client or of all.
import type { RefusedClient } from '../agents/connection/refused-clients.ts'
import { newAddress } from '../agents/likely-record.ts'
import { serverAddress } from '../config/server-address.ts'
import type { DoctorFinding } from '../contract/services.ts'
import type { ClientDeps, Subject } from './client-findings.ts'
import { fine, problem, timeText, warning } from './finding.ts'

type RefusalDeps = Pick<ClientDeps, 'refusals' | 'reports' | 'lastSeen'>

const advices: Readonly<Record<string, string>> = {
  allow: 'add its network to agents.allow, or give it a record (fleet import); fleet pending has the others',
  unknown: 'give clients records (fleet adopt), or raise agents.unknown',
  connections: 'raise agents.connections',
  connections_per_minute: 'look why its agent connects so often: do two programs or computers use this address?',
  descriptors: 'raise LimitNOFILE of the service',
}

/** Without those that are connected since, or were. */
async function stillRefused(clients: RefusedClient[], { reports, lastSeen }: RefusalDeps): Promise<RefusedClient[]> {
  const times = await lastSeen.times()
  return clients.filter(({ addr, last }) => last > (reports.connectedSince(addr) ?? times.get(addr) ?? 0))
}

async function findRefusal(addr: string, deps: RefusalDeps): Promise<RefusedClient | undefined> {
  const refused = deps.refusals.find(addr)
  return refused && (await stillRefused([refused], deps))[0]
}

const refusedText = (count: number) => `${count} ${count === 1 ? 'connection was' : 'connections were'} refused`

export async function checkRefusals({ addr, status }: Subject, deps: RefusalDeps): Promise<DoctorFinding[]> {
  const refused = await findRefusal(addr, deps)
  if (!refused) return []
  const { count, last, reason, limit } = refused
  const text = `${refusedText(count)}, the last at ${timeText(last)}: ${reason}`
  const advice = advices[limit] ?? ''
  return [status === undefined ? problem('refused', text, advice) : warning('refused', text, advice)]
}

/** One for all clients of the last day. */
export async function checkAllRefusals(deps: RefusalDeps): Promise<DoctorFinding[]> {
  const clients = await stillRefused(deps.refusals.list(), deps)
  const [newest] = clients.toSorted((one, other) => other.last - one.last)
  if (!newest) return []
  const count = clients.reduce((sum, client) => sum + client.count, 0)
  const from = clients.length === 1 ? '' : ` from ${clients.length} addresses`
  const text = `${refusedText(count)}${from}, the last of ${newest.addr} at ${timeText(newest.last)}: ${newest.reason}`
  return [warning('refused', text, `fleet pending lists them; fleet doctor ${newest.addr} says what to do`)]
}

/** One of the connected clients without a record may be the computer. */
function pendingHint(addr: string, { reports }: ClientDeps): string {
  const count = reports.pendingCount()
  const subject = count === 1 ? '1 connected client has' : `${count} connected clients have`
  const change = newAddress(addr, 'ADDRESS')
  return count === 0 ? '' : ` ${subject} no record (fleet pending): if it is one of them, ${change}`
}

export async function checkConnection({ addr, computer, status }: Subject, deps: ClientDeps): Promise<DoctorFinding> {
  const { fleet, lastSeen, options } = deps
  if (status !== undefined) return fine('connection', `it is connected: ${status}`)
  const isWoken = fleet.clients().some(client => client.addr === addr)
  const seen = (await lastSeen.times()).get(addr)
  const since = seen === undefined ? 'when it last was is not known' : `it was connected until ${timeText(seen)}`
  const server = `${serverAddress(options)}:${options.agents.port}`
  const advice = (await findRefusal(addr, deps))
    ? 'first let this server take its connections, see above'
    : `if it is on: does its agent run (systemctl status fleet-agent), and does it reach ${server}?${computer ? pendingHint(addr, deps) : ''}`
  return warning('connection', `${isWoken ? 'a wake-up was sent; ' : 'it is not connected; '}${since}`, advice)
}
