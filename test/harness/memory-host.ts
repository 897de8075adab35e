// A host of a fleet without a daemon around it: its bus, its log and its view of the fleet.
import { openCluster } from '../../host/cluster/open-cluster.ts'
import { loadOptions } from '../../host/config/options.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import type { ClusterStore, EndedParts } from '../../stores/store.ts'
import { withTimeout } from './rest-call.ts'

interface MemoryHostOptions {
  store: ClusterStore
  name: string
  leaseSeconds?: number
  modules?: Record<string, string>
}

export type MemoryHost = Awaited<ReturnType<typeof openMemoryHost>>

/** Connected agents, by address. */
type Agents = Map<string, { entry: { addr: string; state: string; status: string; last_cmd: { result: 'unknown' } } }>

export async function openMemoryHost(options: MemoryHostOptions) {
  const { store, name, leaseSeconds = 3, modules = {} } = options
  const log: string[] = []
  const waiting = new Set<() => void>()
  const check = () => {
    for (const each of waiting) each()
  }
  const lines = createLog(line => {
    log.push(line)
    check()
  })
  const events = createEvents(lines)
  const agents: Agents = new Map()
  const deps = { log: lines, events, version: '1.0.0', modules: () => modules, openStore: async () => store }
  const cluster = { name, lease_seconds: leaseSeconds }
  const opened = await openCluster({ ...deps, options: { ...loadOptions().options, cluster } })
  /** The events of the fleet so far, and what other hosts have relayed to the bus. */
  const feed: FleetEvent[] = []
  const relayed: FleetEvent[] = []
  const ended: EndedParts[] = []
  opened.cluster.presence.attach({
    find(addr) {
      const agent = agents.get(addr)
      return agent && { ...agent, request: undefined }
    },
  })
  opened.cluster.feed.on(({ event }) => {
    feed.push(event)
    check()
  })
  opened.cluster.onMembersChange(check)
  opened.cluster.onWork(check)
  events.on((event, isRelayed) => {
    if (isRelayed) relayed.push(event)
  })
  opened.start({ emitEnded: work => void ended.push(...work) })
  /** Resolves when the condition holds; it is asked after each event, log line and change of members. */
  const until = (what: string, condition: () => boolean) => waitFor(what, condition, waiting)
  return {
    cluster: opened.cluster,
    start: (deps: Parameters<typeof opened.start>[0]) => opened.start(deps),
    synchronize: () => opened.synchronize(),
    close: () => opened.close(),
    events,
    log,
    feed,
    relayed,
    ended,
    until,
    logged: (pattern: RegExp) => until(`a log line like ${pattern}`, () => log.some(line => pattern.test(line))),
    /** An agent connects to this host. */
    connect(addr: string): void {
      agents.set(addr, { entry: { addr, state: 'OPG', status: 'oglive', last_cmd: { result: 'unknown' } } })
      events.emit({ type: 'client-connected', addr })
    },
  }
}

/** `waiting` is called whenever the condition may have become true. */
function waitFor(what: string, condition: () => boolean, waiting: Set<() => void>): Promise<void> {
  return withTimeout<void>(what, resolve => {
    const ask = () => {
      if (!condition()) return
      waiting.delete(ask)
      resolve()
    }
    waiting.add(ask)
    ask()
  })
}
