// Says how the server and clients are: findings with what to do, in the order in which people look.
import type { Computer, Frozen, Room, Store } from '../../stores/store.ts'
import type { DiagnosisService, DoctorFinding } from '../contract/services.ts'
import { hostName } from '../store/open-store.ts'
import { slices } from '../system/request-slices.ts'
import { version } from '../system/version.ts'
import { type BootDeps, checkBootFiles } from './boot-findings.ts'
import {
  type ClientDeps,
  checkAddress,
  checkAgent,
  checkBootFile,
  checkConnection,
  checkHello,
  checkLastWake,
  checkRecord,
  checkRefusals,
  type Subject,
} from './client-findings.ts'
import {
  checkCertificate,
  checkClock,
  checkDisks,
  checkHealth,
  checkPorts,
  checkStore,
  type ServerDeps,
} from './server-findings.ts'
import { checkWakeUps } from './wake-findings.ts'

export type DiagnosisDeps = ServerDeps & BootDeps & ClientDeps

export function createDiagnosis(deps: DiagnosisDeps): DiagnosisService {
  const checkNetworks = async (computers: Iterable<Frozen<Computer>>) =>
    checkWakeUps(deps.options, await targetsOf(computers, deps.store))
  return {
    host: () => ({ host: hostName(deps.options), version }),
    async server() {
      const checks = [checkPorts, checkClock, checkDisks, checkStore, checkCertificate]
      const findings = await all(checks.map(check => check(deps)))
      // The store may be away, which the finding above says.
      const computers = await deps.store.computers.list().catch(() => [])
      return [...findings, ...(await all([checkNetworks(computers), checkBootFiles(deps), checkHealth(deps)]))]
    },
    async client(addr) {
      const subject = await subjectOf(addr, deps)
      const checks = [checkRefusals, checkAddress, checkLastWake, checkAgent, checkHello, checkBootFile]
      const { computer } = subject
      return all([
        checkRecord(subject),
        checkConnection(subject, deps),
        ...checks.map(check => check(subject, deps)),
        computer ? checkNetworks([computer]) : [],
      ])
    },
  }
}

async function all(
  findings: (DoctorFinding | DoctorFinding[] | Promise<DoctorFinding | DoctorFinding[]>)[],
): Promise<DoctorFinding[]> {
  return (await Promise.all(findings)).flat()
}

async function subjectOf(addr: string, { store, fleet, reports }: ClientDeps): Promise<Subject> {
  const computer = await store.computers.find(addr)
  const { status } = fleet.clients().find(client => client.addr === addr) ?? {}
  return { addr, computer, status, hello: reports.helloOf(addr) ?? {} }
}

/** Computers with the netmask of their room, and its name. */
async function targetsOf(computers: Iterable<Frozen<Computer>>, { rooms }: Pick<Store, 'rooms'>) {
  const byId = new Map<number, Room>((await rooms.list().catch(() => [])).map(room => [room.id, room]))
  const targets: { ip: string; netmask: string; room: string }[] = []
  await slices.forEach(computers, ({ ip, room: id }) => {
    const room = byId.get(id)
    if (room) targets.push({ ip, netmask: room.netmask, room: room.name })
  })
  return targets
}
