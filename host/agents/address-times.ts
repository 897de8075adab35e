// Times by address that outlast a restart: what this host notes is stored in batches, a document for each network of 256.
import type { Documents } from '../../stores/store.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import { type Log, message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { CoalescedRead } from '../system/coalesced-read.ts'
import { everySeconds } from '../system/periodic-jobs.ts'

export interface AddressTimesDeps {
  store: { documents: Documents }
  cluster: Pick<JobsCluster, 'key' | 'members'>
  clock: Clock
  log: Log
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
}

const pageSize = 200

const minute = 60_000

/** Seconds between two batches. */
const batchSeconds = 60

type Network = Map<string, number>

export class AddressTimes {
  readonly #deps: AddressTimesDeps
  /** Keys of its documents: the host, a slash, and the first three numbers of addresses. Values: minutes by the last number. */
  readonly #collection: { pack: ''; collection: string }
  /** Of this host; in minutes since 1970. */
  readonly #networks = new Map<string, Network>()
  readonly #changed = new Set<string>()
  readonly #stop: () => void
  /** Of all hosts by address, as it is stored. */
  readonly #stored = new CoalescedRead(() => this.#read())
  #all: ReadonlyMap<string, number> = new Map()
  #writing = Promise.resolve()

  constructor(deps: AddressTimesDeps, collection: string) {
    this.#deps = deps
    this.#collection = { pack: '', collection }
    this.#stop = everySeconds(batchSeconds, () => void this.#write())
  }

  /** To be called before anything is noted. */
  async load(): Promise<void> {
    this.#all = await this.#stored.get()
    const prefix = `${this.#deps.cluster.key().name}/`
    for (const { key, value } of await this.#list(prefix))
      this.#networks.set(key.slice(prefix.length), new Map(Object.entries<number>(JSON.parse(value))))
  }

  /** What has been noted last, in milliseconds since 1970. */
  async times(): Promise<Map<string, number>> {
    if (this.#deps.cluster.members().length > 1) this.#all = await this.#stored.get()
    const times = new Map(this.#all)
    for (const [network, hosts] of this.#networks) {
      for (const [host, time] of hosts) setLater(times, `${network}.${host}`, time * minute)
    }
    return times
  }

  /** It is now, for a computer with a record. */
  note(addr: string): void {
    if (!this.#deps.hasRecord(addr)) return
    const dot = addr.lastIndexOf('.')
    const network = addr.slice(0, dot)
    const hosts: Network = this.#networks.get(network) ?? new Map()
    hosts.set(addr.slice(dot + 1), Math.floor(this.#deps.clock.now() / minute))
    this.#networks.set(network, hosts)
    this.#changed.add(network)
  }

  /** Resolves when everything is stored. */
  async close(): Promise<void> {
    this.#stop()
    await this.#write()
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
      const document = { ...this.#collection, key: `${cluster.key().name}/${network}` }
      try {
        await store.documents.put({ ...document, value: JSON.stringify(Object.fromEntries(hosts)) })
      } catch (error) {
        this.#changed.add(network)
        return log.error('agents', `${this.#collection.collection} times not stored: ${message(error)}`, error)
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
      const page = await this.#deps.store.documents.list(this.#collection, { prefix, after, limit: pageSize })
      documents.push(...page)
      after = page.length < pageSize ? undefined : page.at(-1)?.key
    }
    return documents
  }
}

/** Keeps the later one of two times. */
export function setLater(times: Map<string, number>, addr: string, time: number): void {
  if ((times.get(addr) ?? 0) < time) times.set(addr, time)
}
