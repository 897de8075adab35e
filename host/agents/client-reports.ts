// What the agents of connected clients have said: their computers, for clients without a record, and who is logged in.
import type { Store } from '../../stores/store.ts'
import type { RemoteClient, RemoteClients } from '../cluster/cluster.ts'
import { type AgentSession, detailsOf, isSessionEvent, sessionAfter, sessionTypes } from '../cluster/presence.ts'
import type { Limits } from '../config/options.ts'
import type { Hello, PendingClient, PendingList, PendingService, SessionEntry } from '../contract/services.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { RefusedClient, RefusedClients } from './connection/refused-clients.ts'
import { findLikelyRecords, type LikelyRecord } from './likely-record.ts'
import { readNeighbourTable } from './neighbours.ts'

interface ClientReportsDeps {
  events: Events
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  store: { computers: Pick<Store['computers'], 'list'> }
  /** The file of the neighbour table; tests name another one. */
  table?: string | undefined
  limits: Limits
  /** Whose connections were refused. */
  refusals: Pick<RefusedClients, 'list' | 'counts'>
  /** The clients of other hosts; absent without others. */
  remote?: RemoteClients
}

/** `since`: milliseconds. `session`: the newest login, until the logout. */
interface Report {
  since: number
  hello: Hello
  session?: AgentSession | undefined
}

/** The part of a response that refused clients may take. */
const refusedPart = 0.25

/** Bytes of a response for its header and the JSON around the entries. */
const reservedBytes = 1024

export class ClientReports implements PendingService {
  readonly #deps: ClientReportsDeps
  /** All clients that are connected to this host, the oldest connection first: a record may be deleted. */
  readonly #clients = new Map<string, Report>()

  constructor(deps: ClientReportsDeps) {
    this.#deps = deps
    deps.events.on(event => this.#update(event), ['client-connected', 'client-gone', 'client-hello', ...sessionTypes])
  }

  async list(): Promise<PendingList> {
    const macs = await this.neighbours()
    const likelyRecords = await this.likelyRecords(macs)
    const { limits, refusals } = this.#deps
    const pending: PendingClient[] = []
    const refused = refusedWithin(
      limits.response * refusedPart,
      refusals.list().filter(({ addr }) => !this.#clients.has(addr)),
    )
    const refused_connections = [...refusals.counts.values()].reduce((sum, count) => sum + count, 0)
    let omitted = 0
    let bytes = limits.response - reservedBytes - Buffer.byteLength(JSON.stringify(refused))
    for (const [client, { since, hello }] of this.#pending()) {
      const mac = hello.mac ?? onlyOne(macs.get(client))
      const same = likelyRecords.get(client)
      const advice = same && `${same.text}; ${same.advice}`
      const entry = {
        ...{ client, ...hello, ...(mac !== undefined && { mac }) },
        ...{ since: new Date(since).toISOString(), ...(advice !== undefined && { advice }) },
      }
      bytes -= Buffer.byteLength(JSON.stringify(entry)) + 1
      if (bytes >= 0) pending.push(entry)
      else omitted += 1
    }
    return { pending, ...(omitted > 0 && { omitted }), ...(refused.length > 0 && { refused, refused_connections }) }
  }

  agents(): { client: string; agent: string }[] {
    return this.#all().flatMap(([client, { hello }]) =>
      hello.agent === undefined ? [] : [{ client, agent: hello.agent }],
    )
  }

  sessions(): SessionEntry[] {
    return this.#all().flatMap(([client, { session }]) => (session ? [{ client, ...session }] : []))
  }

  /** The newest login of a connected client, unless its agent has reported the logout. */
  sessionOf(addr: string): AgentSession | undefined {
    return this.#reportOf(addr)?.session
  }

  /** Whether somebody is logged in on a client of this host. */
  hasSession(addr: string): boolean {
    return this.#clients.get(addr)?.session !== undefined
  }

  hasRecord(addr: string): boolean {
    return this.#deps.hasRecord(addr)
  }

  /** Empty for an agent that has said nothing; undefined when it is not connected or has a record. */
  find(addr: string): Hello | undefined {
    return this.hasRecord(addr) ? undefined : this.helloOf(addr)
  }

  /** The same, also of a client with a record. */
  helloOf(addr: string): Hello | undefined {
    return this.#reportOf(addr)?.hello
  }

  /** Milliseconds since 1970. */
  connectedSince(addr: string): number | undefined {
    return this.#reportOf(addr)?.since
  }

  #reportOf(addr: string): Report | undefined {
    const client = this.#deps.remote?.find(addr)
    return client ? reportOf(client) : this.#clients.get(addr)
  }

  /** How many connected clients have no record. */
  pendingCount(): number {
    return this.#pending().length
  }

  /** The records of which connected clients without a record may be; none while the store is away. */
  async likelyRecords(neighbours?: Map<string, string[]>): Promise<Map<string, LikelyRecord>> {
    const hellos = this.#pending().map(([addr, { hello }]) => [addr, hello] as const)
    return findLikelyRecords(hellos, neighbours ?? (await this.neighbours()), {
      computers: () => this.#deps.store.computers.list().catch(() => []),
      isOn: addr => this.connectedSince(addr) !== undefined,
    })
  }

  #pending(): [string, Report][] {
    return this.#all().filter(([client]) => !this.hasRecord(client))
  }

  /** The neighbour table; empty when it cannot be read, as on systems without it. */
  neighbours(): Promise<Map<string, string[]>> {
    return readNeighbourTable(this.#deps.table).catch(() => new Map())
  }

  /** Those of all hosts, the oldest connection first. */
  #all(): [string, Report][] {
    const others = this.#deps.remote?.list() ?? []
    const all = [...this.#clients, ...others.map((client): [string, Report] => [client.addr, reportOf(client)])]
    return others.length === 0 ? all : all.sort(([, a], [, b]) => a.since - b.since)
  }

  #update(event: FleetEvent): void {
    if (!('addr' in event)) return
    const { addr } = event
    const client = this.#clients.get(addr)
    // An address that connects again moves to the end; a new connection says nothing of the logins before it.
    if (event.type === 'client-connected' || event.type === 'client-gone') this.#clients.delete(addr)
    if (event.type === 'client-connected') this.#clients.set(addr, { since: Date.now(), hello: {} })
    if (!client) return
    if (isSessionEvent(event)) client.session = sessionAfter(event)
    if (event.type !== 'client-hello') return
    client.hello = event.hello
    const { name } = event.hello
    if (this.hasRecord(addr)) return
    this.#deps.events.emit({ type: 'client-pending', addr, ...(name !== undefined && { name }) })
  }
}

const reportOf = (client: RemoteClient): Report => {
  const { hello = {}, session } = detailsOf(client)
  return { since: client.connected, hello, session }
}

/** As many as these bytes have space for. */
function refusedWithin(bytes: number, clients: readonly RefusedClient[]): NonNullable<PendingList['refused']> {
  let left = bytes
  const entries = clients.map(({ addr, reason, count, first, last }) => {
    return { client: addr, reason, count, since: new Date(first).toISOString(), last: new Date(last).toISOString() }
  })
  return entries.filter(entry => {
    left -= Buffer.byteLength(JSON.stringify(entry)) + 1
    return left >= 0
  })
}

/** A client that the server sees on several network interfaces with different addresses has none that is certain. */
export function onlyOne(macs: readonly string[] = []): string | undefined {
  return new Set(macs).size === 1 ? macs[0] : undefined
}
