// Which agents may connect, those that are connected, and what they and the network say of their computers.
import type { Store } from '../../stores/store.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Options } from '../config/options.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { ClientReports } from './client-reports.ts'
import { Admission } from './connection/admission.ts'
import { Neighbours } from './neighbours.ts'
import { Agents } from './service.ts'

interface AgentServicesDeps {
  options: Pick<Options, 'agents' | 'limits' | 'rest'>
  log: Log
  events: Events
  store: Store
  neighbourTable?: string
  /** Absent in a daemon that runs alone. */
  cluster?: Pick<Cluster, 'remote' | 'presence' | 'outputs' | 'feed'>
}

export type AgentServices = ReturnType<typeof createAgents>

export function createAgents({ options, log, events, store, neighbourTable, cluster }: AgentServicesDeps) {
  const { agents, limits, rest } = options
  const { remote, presence, outputs } = cluster ?? {}
  const admission = new Admission({ log, events, options: agents, remote })
  const hasRecord = (addr: string) => admission.hasRecord(addr)
  cluster?.feed.onGap(() => void readRecords(admission, store, log))
  const reports = new ClientReports({ events, hasRecord, table: neighbourTable, limits, remote })
  return {
    admission,
    fleet: new Agents({ log, events, limits, osStates: rest.os_states, hasRecord, remote, presence, outputs }),
    neighbours: new Neighbours({ log, events, store, hasRecord, table: neighbourTable }),
    reports,
    sessions: { list: () => reports.sessions(), has: (addr: string) => reports.hasSession(addr) },
  }
}

/** Events of other hosts were lost, perhaps those of records. */
async function readRecords(admission: Admission, store: Pick<Store, 'computers'>, log: Log): Promise<void> {
  try {
    admission.setComputers(await store.computers.list())
  } catch (error) {
    log.error('agents', `computer records not read again: ${message(error)}`, error)
  }
}
