// Which agents may connect, those that are connected, and what they and the network say of their computers.
import type { Store } from '../../stores/store.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Options } from '../config/options.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { Admission } from './connection/admission.ts'
import { Fleet } from './fleet.ts'
import { Introductions } from './introductions.ts'
import { LoggedIn } from './logged-in.ts'
import { Neighbours } from './neighbours.ts'

export interface AgentsDeps {
  options: Pick<Options, 'agents' | 'limits' | 'rest'>
  log: Log
  events: Events
  store: Store
  neighbourTable: string | undefined
  /** Absent in a daemon that runs alone. */
  cluster?: Pick<Cluster, 'remote' | 'presence' | 'outputs' | 'feed'>
}

export type Agents = ReturnType<typeof createAgents>

export function createAgents({ options, log, events, store, neighbourTable, cluster }: AgentsDeps) {
  const { agents, limits, rest } = options
  const { remote, presence, outputs } = cluster ?? {}
  const admission = new Admission({ log, events, options: agents, remote })
  const hasRecord = (addr: string) => admission.hasRecord(addr)
  cluster?.feed.onGap(() => void readRecords(admission, store, log))
  return {
    admission,
    fleet: new Fleet({ log, events, limits, osStates: rest.os_states, hasRecord, remote, presence, outputs }),
    neighbours: new Neighbours({ log, events, store, hasRecord, table: neighbourTable }),
    introductions: new Introductions({ events, hasRecord, table: neighbourTable, limits, remote }),
    sessions: new LoggedIn(events, remote),
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
