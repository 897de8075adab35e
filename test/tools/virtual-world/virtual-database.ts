// The database of the simulated hosts: in memory, with delays, outages and lost replies. What it has acknowledged it has.
import { defaultLimits } from '../../../stores/check-options.ts'
import { MemoryOutputs } from '../../../stores/memory/memory-outputs.ts'
import { createStore } from '../../../stores/memory/store.ts'
import { createTables } from '../../../stores/memory/tables/tables.ts'
import type { ClusterStore, HostKey, Members, Notifications, Store, StoredEvent } from '../../../stores/store.ts'
import { createMemoryCluster } from '../../harness/memory-cluster.ts'
import { createMemoryWork } from '../../harness/memory-work.ts'
import type { Chance } from './chance.ts'
import { currentLife, type Life, runIn, type VirtualTime } from './virtual-time.ts'

/** Milliseconds of the way to the database, and of the way back. */
const [shortestWay, longestWay] = [0, 8]

/** These return at once, or what is read later. */
const isDirect = (method: string) => ['record', 'dump', 'load'].includes(method)

interface Faults {
  /** Of these hosts: all methods reject. */
  away: Set<string>
  /** The probability with which a call fails. */
  failing: number
  /** The probability with which a call of the work of several hosts takes effect and rejects all the same. */
  losing: number
}

type Handlers = Parameters<Notifications['listen']>[0]

export class VirtualDatabase {
  readonly faults: Faults = { away: new Set(), failing: 0, losing: 0 }
  readonly store: Store
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly #cluster = createMemoryCluster()
  readonly #work
  readonly #events: StoredEvent[] = []
  /** Of the present members. */
  readonly #epochs = new Map<string, number>()

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#chance = chance
    const tables = createTables()
    const outputs = new MemoryOutputs(tables, defaultLimits)
    const store = createStore(tables, outputs, async () => outputs.deleteOld())
    const trim = async (id: number, keep: number) => {
      await this.storedEvents()
      return store.storedEvents.trim(id, keep)
    }
    // In a database each host has types of its own: what one that ends does not need any more, the others still do.
    const record = (types: readonly string[]) => types.length > 0 && store.storedEvents.record(types)
    this.store = { ...store, storedEvents: { ...store.storedEvents, record, trim }, async close() {} }
    this.#work = createMemoryWork(this.store)
  }

  epochOf(host: string): number | undefined {
    return this.#epochs.get(host)
  }

  /** Also those that have been deleted since. */
  async storedEvents(): Promise<readonly StoredEvent[]> {
    const last = () => this.#events.at(-1)?.id ?? 0
    const events = await this.store.storedEvents.read(last(), Number.MAX_SAFE_INTEGER)
    this.#events.push(...events.filter(({ id }) => id > last()))
    return this.#events
  }

  async open(): Promise<Store> {
    const life = requireLife()
    return { ...this.#delayed(this.store, life), async close() {} }
  }

  async openCluster(): Promise<ClusterStore> {
    const life = requireLife()
    const opened = this.#cluster.open(this.#work.work)
    life.onEnd.push(() => void opened.close())
    const delayed = this.#delayed({ members: this.#membersOf(opened), publications: opened.publications }, life)
    return {
      record: () => {},
      ...delayed,
      work: this.#delayed(opened.work, life, true),
      notifications: { listen: handlers => this.#listen(opened, life, handlers) },
      close: () => opened.close(),
    }
  }

  /** Notifications arrive in the life of the host that listens. */
  #listen({ notifications }: ClusterStore, life: Life, { onNotice, onOpen, onLost }: Handlers): void {
    const inLife = (run: () => void) => {
      if (!life.isDead && !this.faults.away.has(life.host)) runIn(life, () => void setImmediate(run))
    }
    notifications.listen({
      onNotice: notice => inLife(() => onNotice(notice)),
      onOpen: () => inLife(onOpen),
      onLost: () => inLife(onLost),
    })
    this.#work.onNotice(host => inLife(() => onNotice({ type: 'work', host })))
  }

  /** What a membership ends is in the tables of work. */
  #membersOf({ members }: Pick<ClusterStore, 'members'>): Members {
    const work = this.#work
    const epochs = this.#epochs
    const end = (key: HostKey, reason: string) => {
      if (epochs.get(key.name) === key.epoch) epochs.delete(key.name)
      return work.remove(key, reason)
    }
    return {
      ...members,
      async join(host) {
        const before = (await members.list()).find(({ name }) => name === host.name)
        const joined = await members.join(host)
        if (!joined) return undefined
        const ended = before ? end(before, 'daemon restarted') : []
        work.join({ name: host.name, epoch: joined.epoch })
        epochs.set(host.name, joined.epoch)
        return { ...joined, ended }
      },
      async remove(host, reason) {
        const removed = await members.remove(host, reason)
        return removed && { ...removed, ended: end(host, reason) }
      },
      async leave(key, reason, eventsOf = () => []) {
        const ended = end(key, reason)
        const left = await members.leave(key, reason, each => eventsOf({ ...each, ended }))
        return { ...left, ended }
      },
    }
  }

  /** The same methods, for one life of a host: each takes a while and may fail, and none ends when the life has ended. */
  #delayed<Methods extends object>(methods: Methods, life: Life, mayLose = false): Methods {
    return new Proxy(methods, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value === 'object' && value !== null) return this.#delayed(value, life, mayLose)
        if (typeof value !== 'function' || isDirect(String(name))) return value
        return (...args: unknown[]) => this.#call(() => Reflect.apply(value, target, args), life, mayLose)
      },
    })
  }

  async #call(run: () => unknown, life: Life, mayLose: boolean): Promise<unknown> {
    await this.#way()
    if (life.isDead) return new Promise(() => {})
    if (this.faults.away.has(life.host) || this.#chance.isTrue(this.faults.failing)) {
      throw new Error('the database does not respond')
    }
    const result = await run()
    await this.#way()
    if (mayLose && this.#chance.isTrue(this.faults.losing)) throw new Error('the connection has ended')
    return result
  }

  #way(): Promise<void> {
    return this.#time.wait(this.#chance.between(shortestWay, longestWay))
  }
}

function requireLife(): Life {
  const life = currentLife()
  if (!life) throw new Error('expected a host to open its store, got none')
  return life
}
