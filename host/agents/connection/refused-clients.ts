// Whose connections were refused lately, and why: of so many addresses that those of one network hide none of another.
import { networkOf } from '../../system/networks.ts'

/** What refused a connection: an option of `agents`, or `descriptors`; and one line for people. */
interface Refusal {
  limit: string
  reason: string
}

export interface RefusedClient extends Refusal {
  addr: string
  count: number
  /** Milliseconds since 1970. */
  first: number
  last: number
}

/** Addresses; of more than that, the oldest one of the network with the most of them is forgotten. */
const maxAddresses = 200

/** A refusal says nothing of the present after a day. */
const maxMilliseconds = 86_400_000

/** Since the daemon started. */
export class RefusedClients {
  /** How many connections were refused, by what refused them. */
  readonly counts = new Map<string, number>()
  /** Apart, so that addresses without a record cannot hide computers. */
  readonly #computers = new RefusedAddresses()
  readonly #others = new RefusedAddresses()

  add(addr: string, refusal: Refusal, hasRecord: boolean): void {
    this.counts.set(refusal.limit, (this.counts.get(refusal.limit) ?? 0) + 1)
    const addresses = hasRecord ? this.#computers : this.#others
    addresses.add(addr, refusal)
  }

  /** Computers first, then the latest refusal first. */
  list(): RefusedClient[] {
    return [...this.#computers.list(), ...this.#others.list()]
  }

  find(addr: string): RefusedClient | undefined {
    return this.#computers.find(addr) ?? this.#others.find(addr)
  }
}

class RefusedAddresses {
  /** By network, then by address, the one that was refused last at the end. */
  readonly #networks = new Map<string, Map<string, RefusedClient>>()
  #size = 0

  add(addr: string, { limit, reason }: Refusal): void {
    const now = Date.now()
    const key = keyOf(addr)
    const network = this.#networks.get(key) ?? new Map<string, RefusedClient>()
    this.#networks.set(key, network)
    const { count, first } = recent(network.get(addr)) ?? { count: 0, first: now }
    if (!network.delete(addr)) this.#size += 1
    network.set(addr, { addr, limit, reason, count: count + 1, first, last: now })
    if (this.#size > maxAddresses) this.#forgetOne()
  }

  find(addr: string): RefusedClient | undefined {
    return recent(this.#networks.get(keyOf(addr))?.get(addr))
  }

  /** The latest refusal first. */
  list(): RefusedClient[] {
    const all = [...this.#networks.values()].flatMap(network => [...network.values()])
    return all.filter(entry => recent(entry)).sort((one, other) => other.last - one.last)
  }

  #forgetOne(): void {
    let largest: Map<string, RefusedClient> = new Map()
    for (const network of this.#networks.values()) if (network.size > largest.size) largest = network
    const [oldest = ''] = largest.keys()
    largest.delete(oldest)
    if (largest.size === 0) this.#networks.delete(keyOf(oldest))
    this.#size -= 1
  }
}

const recent = (entry: RefusedClient | undefined) =>
  entry && entry.last > Date.now() - maxMilliseconds ? entry : undefined

/** The first three numbers of an IPv4 address. */
const keyOf = (addr: string) => (addr.includes(':') ? networkOf(addr) : addr.slice(0, addr.lastIndexOf('.')))
