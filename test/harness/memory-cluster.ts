// A store for several hosts in memory: members, notifications, presence and events, as stores/cluster-types.ts says.
import type { ClusterEvent, ClusterJobs, ClusterStore, Firing, HostKey, Members } from '../../stores/store.ts'
import { MemoryDatabase } from './memory-database.ts'
import { createPublications } from './memory-publications.ts'

export interface MemoryCluster {
  /** The connection of one host. Methods of `work` reject, apart from `claimFiring` and those of `work`. */
  open(work?: Partial<ClusterJobs>): MemoryClusterStore
  /** What all hosts have published. */
  events: ClusterEvent[]
  /** The database: while it is away, all methods reject and notifications are lost. */
  setAway(isAway: boolean): void
  /** Loses the newest events and the presence, as unlogged tables do: ids jump. */
  loseEvents(): void
}

export interface MemoryClusterStore extends ClusterStore {
  /** While true, this host is not reached by anything that it awaits. */
  isAway: boolean
  /** The next publication is stored, and rejects all the same. */
  losesNextReply: boolean
  /** Ends the connection of the notifications, and opens it again. */
  cutNotifications(): void
}

export function createMemoryCluster(): MemoryCluster {
  const database = new MemoryDatabase()
  return {
    events: database.events,
    open: work => openStore(database, work),
    setAway(isAway) {
      database.isAway = isAway
      const handlers = [...database.listeners.values()]
      for (const { onLost, onOpen } of handlers) setImmediate(isAway ? onLost : onOpen)
    },
    loseEvents() {
      database.events.splice(0)
      database.rows.clear()
      database.eventId += 1_000_000
    },
  }
}

function openStore(database: MemoryDatabase, work: Partial<ClusterJobs> = {}): MemoryClusterStore {
  const holder = {}
  const reach = async () => {
    await new Promise(setImmediate)
    if (database.isAway || store.isAway) throw new Error('the database does not respond')
  }
  const store: MemoryClusterStore = {
    record() {},
    isAway: false,
    losesNextReply: false,
    members: createMembers(database, holder, reach),
    notifications: {
      listen(handlers) {
        database.listeners.set(holder, handlers)
        setImmediate(handlers.onOpen)
      },
    },
    publications: createPublications(database, reach, () => {
      const isLost = store.losesNextReply
      store.losesNextReply = false
      if (isLost) throw new Error('the connection has ended')
    }),
    work: createWork(database, reach, work),
    cutNotifications() {
      const handlers = database.listeners.get(holder)
      if (!handlers) return
      handlers.onLost()
      setImmediate(handlers.onOpen)
    },
    async close() {
      database.listeners.delete(holder)
      for (const member of database.members) if (member.holder === holder) member.holder = {}
      store.isAway = true
    },
  }
  return store
}

function createMembers(database: MemoryDatabase, holder: object, reach: () => Promise<void>): Members {
  const find = ({ name, epoch }: HostKey) =>
    database.members.find(member => member.name === name && member.epoch === epoch)
  return {
    async join(host) {
      await reach()
      const older = database.members.find(({ name }) => name === host.name)
      if (older && older.holder !== holder && [...database.listeners.keys()].includes(older.holder)) return undefined
      const agents = older ? database.remove(older) : []
      database.epochs += 1
      const heartbeat = String(++database.heartbeats)
      database.members.push({ ...host, epoch: database.epochs, heartbeat, joined: Date.now(), holder })
      database.notify({ type: 'hosts' })
      return { epoch: database.epochs, agents, wasMember: older !== undefined, ended: [] }
    },
    async beat(key, modules) {
      await reach()
      const member = find(key)
      if (!member) return false
      Object.assign(member, { modules, heartbeat: String(++database.heartbeats) })
      return true
    },
    async list() {
      await reach()
      return database.members.map(({ holder: _, ...member }) => ({ ...member }))
    },
    async remove(host) {
      await reach()
      if (find(host)?.heartbeat !== host.heartbeat) return undefined
      return { wasMember: true, agents: database.remove(host), ended: [] }
    },
    async leave(key, _reason, eventsOf = () => []) {
      await reach()
      const ended = { wasMember: true, agents: database.remove(key), ended: [] }
      for (const { time, event } of eventsOf(ended)) {
        database.eventId += 1
        database.events.push({ id: database.eventId, host: key.name, time, event })
      }
      database.notify({ type: 'published' })
      return ended
    },
  }
}

function createWork(
  database: MemoryDatabase,
  reach: () => Promise<void>,
  overrides: Partial<ClusterJobs>,
): ClusterJobs {
  const unavailable = async () => {
    throw new Error('work: expected a store that has it, got none')
  }
  return {
    add: unavailable,
    take: unavailable,
    queued: unavailable,
    assign: unavailable,
    unclaimed: unavailable,
    change: unavailable,
    cancel: unavailable,
    async claimFiring({ schedule, time }: Firing) {
      await reach()
      if ((database.since.get(schedule) ?? 0) >= time) return false
      database.since.set(schedule, time)
      return true
    },
    ...overrides,
  }
}
