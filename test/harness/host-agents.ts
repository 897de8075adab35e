// The agents of one host of a fleet without a daemon: a fleet, what is known of another host b, and the shared outputs.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { AgentRequest } from '../../host/agents/agent-request.ts'
import { encodeRequest } from '../../host/agents/connection/codec.ts'
import { Agents } from '../../host/agents/service.ts'
import type { SharedOutputs } from '../../host/cluster/cluster.ts'
import { Presence } from '../../host/cluster/presence.ts'
import { RemoteAgents } from '../../host/cluster/remote-agents.ts'
import { loadOptions } from '../../host/config/options.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import type { MemberHost, PresenceRow } from '../../stores/store.ts'

/** The address of the agent of `connectAgent`. */
export const own = '10.0.0.1'

export const { limits, agents: agentLimits } = loadOptions().options

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A server that listens on a port has an AddressInfo.
const { port } = server.address() as AddressInfo
server.unref()

export const script: AgentRequest = {
  command: 'script',
  forward: {},
  payload: { name: 'one', clients: [own] },
  bytes: encodeRequest('POST /script', ''),
  deadline: 900,
  checkReply: () => undefined,
}

export const memberOf = (name: string, epoch: number): MemberHost => ({
  name,
  epoch,
  heartbeat: '',
  modules: {},
  url: '',
  version: '1',
  lease: 6000,
  joined: epoch,
})

/** A client of host b, which has epoch 2, or c with epoch 3. */
export const rowOf = (addr: string, since: number, name = 'b', changes: Partial<PresenceRow> = {}): PresenceRow => ({
  addr,
  since,
  name,
  epoch: name === 'b' ? 2 : 3,
  connected: since,
  state: 'OPG',
  status: 'oglive',
  speed: 0,
  result: 'unknown',
  details: {},
  gone: false,
  ...changes,
})

/** Outputs of all hosts, in memory; writes take a tick. */
export function createOutputs() {
  const stored = new Map<string, string>()
  const outputs = {
    stored,
    reads: 0,
    writes: 0,
    async outputs(clients: readonly string[]) {
      outputs.reads += 1
      return new Map([...stored].filter(([client]) => clients.includes(client)))
    },
    async setOutputs(written: ReadonlyMap<string, string>) {
      outputs.writes += 1
      await new Promise(setImmediate)
      for (const [client, output] of written) stored.set(client, output)
    },
    async clearOutputs(clients: readonly string[]) {
      for (const client of clients) stored.delete(client)
    },
  } satisfies SharedOutputs & { stored: Map<string, string>; reads: number; writes: number }
  return outputs
}

/** The agents of host a, which knows host b. Outputs are cut at 5 characters. `wakeEntry`: seconds. */
export function createHostAgents({ wakeEntry = 60 } = {}) {
  const log = createLog(() => {})
  const events = createEvents(log)
  const seen: FleetEvent[] = []
  events.on((event, isRelayed) => !isRelayed && seen.push(event))
  const remote = new RemoteAgents(log)
  const presence = new Presence({ events, remote, onDirty: () => {} })
  const outputs = createOutputs()
  const records = new Set<string>()
  const hasRecord = (addr: string) => records.has(addr)
  const fleet = new Agents({
    ...{ log, events, hasRecord, presence, outputs },
    remote: remote,
    limits: { ...limits, output: 5 },
    osStates: false,
    seconds: { wakeEntry, accepted: 30 },
  })
  remote.setMembers([memberOf('a', 1), memberOf('b', 2)], 'a')
  return {
    ...{ log, events, remote, presence, outputs, records, hasRecord, fleet },
    async connectAgent(): Promise<Socket> {
      const accepted = once(server, 'connection')
      const agent = connect(port, '127.0.0.1')
      const [socket] = await accepted
      fleet.connect(own, socket, () => undefined)
      return agent
    },
    /** Sets the number of the agent's connection. */
    number(since: number): void {
      presence.take()
      presence.setNumbers(new Map([[own, since]]))
    },
    eventsOf: (type: string) => seen.filter(event => event.type === type),
    addrs: () => fleet.clients().map(({ addr }) => addr),
  }
}
