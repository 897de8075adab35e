// Says how the server and clients are: findings with what to do, in the order in which people look.
import type { Computer, Frozen, Store } from '../../stores/store.ts'
import type { DiagnosisService, DoctorFinding } from '../contract/services.ts'
import { hostName } from '../store/open-store.ts'
import { slices } from '../system/request-slices.ts'
import { version } from '../system/version.ts'
import { checkAddress, checkNewAddresses, checkRecord } from './address-findings.ts'
import { type BootDeps, checkBootFiles } from './boot-findings.ts'
import {
  type ClientDeps,
  checkAgent,
  checkBootFile,
  checkHello,
  checkLastWake,
  type Subject,
} from './client-findings.ts'
import { checkAllRefusals, checkConnection, checkRefusals } from './connection-findings.ts'
import { checkEquals } from './equal-findings.ts'
import { checkSchedules, type ScheduleDeps } from './schedule-findings.ts'
import {
  checkCertificate,
  checkClock,
  checkDisks,
  checkHealth,
  checkMulticast,
  checkPorts,
  checkStore,
  type ServerDeps,
} from './server-findings.ts'
import { checkWakeUps } from './wake-findings.ts'

export type DiagnosisDeps = ServerDeps & BootDeps & ClientDeps & ScheduleDeps

export function createDiagnosis(deps: DiagnosisDeps): DiagnosisService {
  const checkNetworks = async (only?: Frozen<Computer>) => checkWakeUps(deps.options, await targetsOf(deps.store, only))
  return {
    host: () => ({ host: hostName(deps.options), version }),
    async server() {
      const checks = [checkPorts, checkClock, checkDisks, checkStore, checkCertificate, checkMulticast]
      const findings = await all(checks.map(check => check(deps)))
      const others = [
        checkNetworks(),
        checkEquals(deps),
        checkBootFiles(deps),
        checkSchedules(deps),
        checkAllRefusals(deps),
        checkNewAddresses(deps),
        checkHealth(deps),
      ]
      return [...findings, ...(await all(others))]
    },
    async client(addr) {
      const subject = await subjectOf(addr, deps)
      const checks = [
        ...[checkRecord, checkRefusals, checkConnection, checkAddress],
        ...[checkLastWake, checkAgent, checkHello, checkBootFile],
      ]
      const { computer } = subject
      const ofRecord = computer ? [checkEquals(deps, computer), checkNetworks(computer)] : []
      return all([...checks.map(check => check(subject, deps)), ...ofRecord])
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

/** The computer, or all: with the netmask of their room, and its name. None while the store is away. */
async function targetsOf({ rooms, computers }: Pick<Store, 'rooms' | 'computers'>, only?: Frozen<Computer>) {
  const targets: { ip: string; netmask: string; room: string }[] = []
  for (const { id, netmask, name: room } of await rooms.list().catch(() => [])) {
    if (only && only.room !== id) continue
    await slices.pause()
    const found = only ? [only] : await computers.list(id).catch(() => [])
    for (const { ip } of found) targets.push({ ip, netmask, room })
  }
  return targets
}
