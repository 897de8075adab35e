// What can be said of one client: its connection, its address, its wake-ups, its agent, and its record.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Computer, Frozen, Store } from '../../stores/store.ts'
import type { ClientReports } from '../agents/client-reports.ts'
import type { RefusedClients } from '../agents/connection/refused-clients.ts'
import type { LastSeen } from '../agents/last-seen.ts'
import { shortName } from '../agents/likely-record.ts'
import type { Wakes } from '../computers/wakes.ts'
import type { Options } from '../config/options.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { AgentProgramService, BootService, DoctorFinding, FleetService, Hello } from '../contract/services.ts'
import { fine, problem, timeText, warning } from './finding.ts'

export interface ClientDeps {
  options: Options
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'clients'>
  refusals: Pick<RefusedClients, 'find' | 'list'>
  lastSeen: Pick<LastSeen, 'times'>
  wakes: Pick<Wakes, 'lastOf'>
  reports: Pick<ClientReports, 'neighbours' | 'helloOf' | 'likelyRecords' | 'pendingCount' | 'connectedSince'>
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

/** Nothing of a computer that has not been woken yet. */
export async function checkLastWake({ addr }: Subject, { wakes }: ClientDeps): Promise<DoctorFinding[]> {
  const { sent, failure, success } = await wakes.lastOf(addr)
  const advice = 'see docs/troubleshooting.md, “A wake-up does nothing”'
  if (failure !== undefined && sent !== undefined)
    return [problem('wake-up', `the wake-up of ${timeText(sent)} failed: ${failure}`, advice)]
  return success === undefined ? [] : [fine('wake-up', `it was last woken at ${timeText(success)}`)]
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
