// When agents were last connected: what this host has seen is stored in batches, a document for each network of 256.
import type { Documents } from '../../stores/store.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { FleetService } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { CoalescedRead } from '../system/coalesced-read.ts'
import type { Events } from '../system/events.ts'
import { everySeconds } from '../system/periodic-jobs.ts'

interface LastSeenDeps {
  store: { documents: Documents }
  cluster: Pick<JobsCluster, 'key' | 'members' | 'feed'>
  fleet: Pick<FleetService, 'clients'>
  events: Events
  clock: Clock
  log: Log
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
}

/** Keys of its documents: the host, a slash, and the first three numbers of addresses. Values: minutes by the last number. */
const collection = { pack: '', collection: 'last-seen' }

const pageSize = 200

const minute = 60_000

/** Seconds between two batches, and after how many of them those are stored that have been connected all the time. */
const [batchSeconds, batchesBetween] = [60, 15]

type Network = Map<string, number>

export class LastSeen {
  readonly #deps: LastSeenDeps
  /** Of this host; in minutes since 1970. */
  readonly #networks = new Map<string, Network>()
  readonly #connected = new Set<string>()
  /** Of agents that other hosts have had, which store it a little later; in milliseconds. */
  readonly #remote = new Map<string, number>()
  readonly #changed = new Set<string>()
  readonly #stop: (() => void)[]
  /** Of all hosts by address, as it is stored. */
  readonly #stored = new CoalescedRead(() => this.#read())
  #all: ReadonlyMap<string, number> = new Map()
  #batches = 0
  #writing = Promise.resolve()

  constructor(deps: LastSeenDeps) {
    this.#deps = deps
    this.#stop = [
      deps.events.on(
        (event, isRelayed) => {
          if (isRelayed) return
          if (event.type === 'client-connected') this.#connected.add(event.addr)
          if (event.type !== 'client-gone') return
          this.#connected.delete(event.addr)
          this.#note(event.addr)
        },
        ['client-connected', 'client-gone'],
      ),
      deps.cluster.feed.onRemote(
        ({ event }) => {
          if (event.type === 'client-gone') this.#remote.set(event.addr, deps.clock.now())
        },
        ['client-gone'],
      ),
      everySeconds(batchSeconds, () => this.#batch()),
    ]
  }

  /** To be called before agents connect. */
  async load(): Promise<void> {
    this.#all = await this.#stored.get()
    const prefix = `${this.#deps.cluster.key().name}/`
    for (const { key, value } of await this.#list(prefix))
      this.#networks.set(key.slice(prefix.length), new Map(Object.entries<number>(JSON.parse(value))))
  }

  /** By address, in milliseconds since 1970; connected computers are seen now. */
  async times(): Promise<ReadonlyMap<string, number>> {
    const { clock, cluster, fleet } = this.#deps
    if (cluster.members().length > 1) this.#all = await this.#stored.get()
    const times = new Map(this.#all)
    for (const [network, hosts] of this.#networks) {
      for (const [host, time] of hosts) setLater(times, `${network}.${host}`, time * minute)
    }
    for (const [addr, time] of this.#remote) setLater(times, addr, time)
    const now = clock.now()
    for (const { addr, status } of fleet.clients()) if (status !== undefined) times.set(addr, now)
    return times
  }

  /** Resolves when everything is stored, also that agents were connected until now. */
  async close(): Promise<void> {
    for (const stop of this.#stop) stop()
    this.#noteConnected()
    await this.#write()
  }

  #noteConnected(): void {
    for (const addr of this.#connected) this.#note(addr)
  }

  #note(addr: string): void {
    if (!this.#deps.hasRecord(addr)) return
    const dot = addr.lastIndexOf('.')
    const network = addr.slice(0, dot)
    const hosts: Network = this.#networks.get(network) ?? new Map()
    hosts.set(addr.slice(dot + 1), Math.floor(this.#deps.clock.now() / minute))
    this.#networks.set(network, hosts)
    this.#changed.add(network)
  }

  #batch(): void {
    this.#batches += 1
    if (this.#batches % batchesBetween === 0) this.#noteConnected()
    void this.#write()
  }

  #write(): Promise<void> {
    if (this.#changed.size > 0) this.#writing = this.#writing.then(() => this.#writeChanged())
    return this.#writing
  }

  async #writeChanged(): Promise<void> {
    const { store, cluster, log } = this.#deps
    for (const network of [...this.#changed]) {
      this.#changed.delete(network)
      const hosts = [...(this.#networks.get(network) ?? [])].filter(([host]) =>
        this.#deps.hasRecord(`${network}.${host}`),
      )
      this.#networks.set(network, new Map(hosts))
      const document = { ...collection, key: `${cluster.key().name}/${network}` }
      try {
        await store.documents.put({ ...document, value: JSON.stringify(Object.fromEntries(hosts)) })
      } catch (error) {
        this.#changed.add(network)
        return log.error('agents', `last connections not stored: ${message(error)}`, error)
      }
    }
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (const { key, value } of await this.#list('')) {
      const network = key.slice(key.indexOf('/') + 1)
      for (const [host, time] of Object.entries<number>(JSON.parse(value)))
        setLater(times, `${network}.${host}`, time * minute)
    }
    return times
  }

  async #list(prefix: string) {
    const documents = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await this.#deps.store.documents.list(collection, { prefix, after, limit: pageSize })
      documents.push(...page)
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
    return documents
  }
}

function setLater(times: Map<string, number>, addr: string, time: number): void {
  if ((times.get(addr) ?? 0) < time) times.set(addr, time)
}
