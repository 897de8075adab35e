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
  options: Pick<Options, 'agents' | 'limits' | 'rest' | 'wol'>
  log: Log
  events: Events
  store: Store
  neighbourTable?: string
  /** Absent in a daemon that runs alone. */
  cluster?: Pick<Cluster, 'remote' | 'presence' | 'outputs' | 'feed'>
}

/** From a reply 202 to the end of its request. */
const acceptedSeconds = 30

export type AgentServices = ReturnType<typeof createAgents>

export function createAgents({ options, log, events, store, neighbourTable, cluster }: AgentServicesDeps) {
  const { agents, limits, rest, wol } = options
  const { remote, presence, outputs } = cluster ?? {}
  const admission = new Admission({ log, events, options: agents, remote })
  const hasRecord = (addr: string) => admission.hasRecord(addr)
  cluster?.feed.onGap(() => void readRecords(admission, store, log))
  const seconds = { wakeEntry: wol.seconds, accepted: acceptedSeconds }
  const reports = new ClientReports({
    events,
    hasRecord,
    store,
    table: neighbourTable,
    limits,
    refusals: admission.refused,
    remote,
  })
  return {
    admission,
    hasRecord,
    fleet: new Agents({
      ...{ log, events, limits, hasRecord, remote, presence, outputs },
      osStates: rest.os_states,
      seconds,
    }),
    neighbours: new Neighbours({ log, events, store, hasRecord, table: neighbourTable }),
    reports,
    refusals: admission.refused,
    sessions: {
      list: () => reports.sessions(),
      of: (addr: string) => reports.sessionOf(addr),
      has: (addr: string) => reports.hasSession(addr),
    },
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
