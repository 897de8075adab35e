// What can be said of one client: its connection, its address, its wake-ups, its agent, and its record.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Computer, Frozen, Store } from '../../stores/store.ts'
import type { ClientReports } from '../agents/client-reports.ts'
import type { RefusedClients } from '../agents/connection/refused-clients.ts'
import type { LastSeen } from '../agents/last-seen.ts'
import type { Wakes } from '../computers/wakes.ts'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { AgentProgramService, BootService, DoctorFinding, FleetService, Hello } from '../contract/services.ts'
import { fine, problem, timeText, warning } from './finding.ts'

export interface ClientDeps {
  options: Options
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'clients'>
  refusals: Pick<RefusedClients, 'find'>
  lastSeen: Pick<LastSeen, 'times'>
  wakes: Pick<Wakes, 'lastOf'>
  reports: Pick<ClientReports, 'neighbours' | 'helloOf'>
  agentProgram: Pick<AgentProgramService, 'file'>
  boot: Pick<BootService, 'preview'>
}

/** `computer`: absent without a record. `status`: absent of a client that is not connected. */
export interface Subject {
  addr: string
  computer: Frozen<Computer> | undefined
  status: string | undefined
  hello: Hello
}

export function checkRecord({ addr, computer, status }: Subject): DoctorFinding {
  if (computer) return fine('record', `${computer.name} has a record`)
  if (status === undefined)
    return problem('record', `there is no computer ${addr}`, 'look for its address: fleet clients, fleet pending')
  return warning('record', 'it is connected and has no record', `fleet adopt ${addr} --room …`)
}

export async function checkConnection({ addr, status }: Subject, deps: ClientDeps): Promise<DoctorFinding> {
  const { fleet, lastSeen, options } = deps
  if (status !== undefined) return fine('connection', `it is connected: ${status}`)
  const isWoken = fleet.clients().some(client => client.addr === addr)
  const seen = (await lastSeen.times()).get(addr)
  const since = seen === undefined ? 'it was never connected' : `it was connected until ${timeText(seen)}`
  const server = `${serverAddress(options)}:${options.agents.port}`
  const advice = `if it is on: does its agent run (systemctl status fleet-agent), and does it reach ${server}?`
  return warning('connection', `${isWoken ? 'a wake-up was sent; ' : 'it is not connected; '}${since}`, advice)
}

const refusalAdvice: Readonly<Record<string, string>> = {
  allow: 'add its network to agents.allow, or give it a record (fleet import); fleet pending has the others',
  unknown: 'give clients records (fleet adopt), or raise agents.unknown',
  connections: 'raise agents.connections',
  connections_per_minute: 'look why its agent connects so often: do two programs or computers use this address?',
  descriptors: 'raise LimitNOFILE of the service',
}

export function checkRefusals({ addr, status }: Subject, { refusals }: ClientDeps): DoctorFinding[] {
  const refused = refusals.find(addr)
  if (!refused) return []
  const { count, last, reason, limit } = refused
  const text = `${count} ${count === 1 ? 'connection was' : 'connections were'} refused, the last at ${timeText(last)}: ${reason}`
  const advice = refusalAdvice[limit] ?? ''
  return [status === undefined ? problem('refused', text, advice) : warning('refused', text, advice)]
}

export async function checkAddress(
  { addr, computer, hello }: Subject,
  { reports }: ClientDeps,
): Promise<DoctorFinding[]> {
  if (!computer) return []
  const recorded = computer.mac.toLowerCase()
  const seen = (await reports.neighbours()).get(addr)
  const [other] = [...(seen ?? []), ...(hello.mac === undefined ? [] : [hello.mac])].filter(mac => mac !== recorded)
  if (other !== undefined && !seen?.includes(recorded)) {
    const source = seen ? 'the network' : 'its agent'
    const text = `hardware address: its record has ${recorded}, ${source} says ${other}; wake-ups go to that of the record`
    const advice = `another computer may have its address (DHCP); else fleet computer edit ${addr} --mac ${other}`
    return [problem('hardware address', text, advice)]
  }
  if (seen ?? hello.mac) return [fine('hardware address', `${recorded}, as in its record`)]
  return [fine('hardware address', `${recorded} in its record; neither the network nor its agent says another one now`)]
}

export async function checkLastWake({ addr }: Subject, { wakes }: ClientDeps): Promise<DoctorFinding> {
  const { sent, failure, success } = await wakes.lastOf(addr)
  const text = success === undefined ? 'no wake-up has succeeded' : `it was last woken at ${timeText(success)}`
  if (failure === undefined || sent === undefined) return fine('wake-up', text)
  const advice = 'see docs/troubleshooting.md, “A wake-up does nothing”'
  return problem('wake-up', `the wake-up of ${timeText(sent)} failed: ${failure}`, advice)
}

/** The agent for Linux of the daemon; other programs have versions of their own. */
const ownAgent = 'fleet-agent '

export async function checkAgent({ addr, status, hello }: Subject, deps: ClientDeps): Promise<DoctorFinding[]> {
  if (status === undefined) return []
  if (hello.agent === undefined) return [fine('agent', 'its agent does not say which program it is')]
  const { version } = await deps.agentProgram.file()
  if (!hello.agent.startsWith(ownAgent) || hello.agent === version) return [fine('agent', hello.agent)]
  return [warning('agent', `${hello.agent}, this server has ${version}`, `fleet send agent-update --client ${addr}`)]
}

/** What the agent says of its computer and the record says otherwise. */
export function checkHello({ addr, computer, hello }: Subject): DoctorFinding[] {
  if (!computer) return []
  const shortName = (name: string) => name.toLowerCase().split('.')[0]
  const { name, serial_number: serial } = computer
  const differences: [string, string, string | undefined, boolean][] = [
    ['name', name, hello.name, shortName(name) === shortName(hello.name ?? name)],
    ['serial_number', serial, hello.serial, serial === '' || serial === (hello.serial ?? serial)],
  ]
  return differences.flatMap(([key, recorded, got, isSame]) =>
    isSame
      ? []
      : [
          warning(
            'record',
            `${key}: its record has ${recorded}, its agent says ${got}`,
            `is it another computer? Else fleet computer edit ${addr} with the new value`,
          ),
        ],
  )
}

export async function checkBootFile(
  { addr, computer }: Subject,
  { boot, options }: ClientDeps,
): Promise<DoctorFinding[]> {
  if (!computer) return []
  const files = await boot.preview(addr, computer.boot)
  if (isRefusal(files))
    return [warning('boot file', `it has none: ${files.refused}`, `fleet send mode --client ${addr} --mode …`)]
  for (const { path, content } of files) {
    const file = join(options.boot.output, path)
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === content) continue
    const advice = `fleet send mode --client ${addr} --mode ${computer.boot} writes it again`
    return [
      warning('boot file', text === undefined ? `${file} is missing` : `${file} is not that of its record`, advice),
    ]
  }
  return [fine('boot file', `that of the mode ${computer.boot}`)]
}
