// Connected clients without a computer record, with what their agents have said of them.
import { detailsOf } from '../cluster/agent-details.ts'
import type { RemoteClient, RemoteClients } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { Hello, PendingClient, PendingList, PendingService } from '../contract/services.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { readNeighbourTable } from './neighbour-table.ts'

export interface IntroductionDeps {
  events: Events
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  /** The file of the neighbour table; tests name another one. */
  table?: string | undefined
  limits: Limits
  /** The clients of other hosts of the fleet; absent without others. */
  remote?: RemoteClients
}

/** `since`: milliseconds. */
interface Introduced {
  since: number
  hello: Hello
}

/** Bytes of a response for its header and the JSON around the entries. */
const reservedBytes = 1024

export class Introductions implements PendingService {
  readonly #deps: IntroductionDeps
  /** All clients that are connected to this host, since a record may be deleted. */
  readonly #clients = new Map<string, Introduced>()

  constructor(deps: IntroductionDeps) {
    this.#deps = deps
    deps.events.on(event => this.#update(event), ['client-connected', 'client-gone', 'client-hello'])
  }

  async list(): Promise<PendingList> {
    const macs = await this.neighbours()
    const pending: PendingClient[] = []
    let omitted = 0
    let bytes = this.#deps.limits.response - reservedBytes
    for (const [client, { since, hello }] of this.#all()) {
      if (this.#deps.hasRecord(client)) continue
      const mac = hello.mac ?? onlyOne(macs.get(client))
      const entry = { client, ...hello, ...(mac !== undefined && { mac }), since: new Date(since).toISOString() }
      bytes -= Buffer.byteLength(JSON.stringify(entry)) + 1
      if (bytes >= 0) pending.push(entry)
      else omitted += 1
    }
    return { pending, ...(omitted > 0 && { omitted }) }
  }

  agents(): { client: string; agent: string }[] {
    return this.#all().flatMap(([client, { hello }]) =>
      hello.agent === undefined ? [] : [{ client, agent: hello.agent }],
    )
  }

  hasRecord(addr: string): boolean {
    return this.#deps.hasRecord(addr)
  }

  /** Empty for an agent that has said nothing; undefined when it is not connected or has a record. */
  find(addr: string): Hello | undefined {
    if (this.#deps.hasRecord(addr)) return undefined
    const client = this.#deps.remote?.find(addr)
    return client ? introducedOf(client).hello : this.#clients.get(addr)?.hello
  }

  /** The neighbour table; empty when it cannot be read, as on systems without it. */
  neighbours(): Promise<Map<string, string[]>> {
    return readNeighbourTable(this.#deps.table).catch(() => new Map())
  }

  /** Those of the whole fleet, the oldest connection first. */
  #all(): [string, Introduced][] {
    const { remote } = this.#deps
    const own = [...this.#clients]
    const others = remote?.list() ?? []
    if (others.length === 0) return own
    const all = [...own, ...others.map((client): [string, Introduced] => [client.addr, introducedOf(client)])]
    return all.sort(([, a], [, b]) => a.since - b.since)
  }

  #update(event: FleetEvent): void {
    const { events, hasRecord } = this.#deps
    switch (event.type) {
      case 'client-connected':
        // An address that connects again moves to the end.
        this.#clients.delete(event.addr)
        this.#clients.set(event.addr, { since: Date.now(), hello: {} })
        break
      case 'client-gone':
        this.#clients.delete(event.addr)
        break
      case 'client-hello': {
        const client = this.#clients.get(event.addr)
        if (!client) return
        client.hello = event.hello
        const { name } = event.hello
        if (!hasRecord(event.addr))
          events.emit({ type: 'client-pending', addr: event.addr, ...(name !== undefined && { name }) })
      }
    }
  }
}

const introducedOf = (client: RemoteClient): Introduced => ({
  since: client.connected,
  hello: detailsOf(client).hello ?? {},
})

/** A client that the server sees on several network interfaces with different addresses has none that is certain. */
export function onlyOne(macs: readonly string[] = []): string | undefined {
  return new Set(macs).size === 1 ? macs[0] : undefined
}
