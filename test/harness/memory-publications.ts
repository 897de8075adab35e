// Presence and events of a fleet in memory.
import type { Publications, Published } from '../../stores/store.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** `reply` is called when something is stored, and may throw. */
export function createPublications(
  database: MemoryDatabase,
  reach: () => Promise<void>,
  reply: () => void,
): Publications {
  return {
    async publish(published) {
      await reach()
      if (!database.isMember(published.key)) return undefined
      const numbers = store(database, published)
      database.notify({ type: 'published' })
      reply()
      return numbers
    },
    async read({ version, event, limit, except }) {
      await reach()
      const agents = [...database.rows.values()].filter(row => row.version > version && row.name !== except)
      agents.sort((a, b) => a.version - b.version)
      const events = database.events.slice(database.events.findLastIndex(({ id }) => id <= event) + 1).slice(0, limit)
      return structuredClone({ version: database.versions, agents, events })
    },
    async newest(count) {
      await reach()
      return { newest: database.eventId, first: database.events.at(-count)?.id ?? database.events[0]?.id ?? 0 }
    },
    async trim(keep) {
      await reach()
      database.events.splice(0, Math.max(0, database.events.length - keep))
    },
    async outputs(clients) {
      await reach()
      return new Map(clients.flatMap(client => [[client, database.outputs.get(client)] as const]).filter(isSet))
    },
    async setOutputs(outputs) {
      await reach()
      for (const [client, output] of outputs) database.outputs.set(client, output)
    },
    async clearOutputs(clients) {
      await reach()
      for (const client of clients) database.outputs.delete(client)
    },
  }
}

const isSet = (entry: readonly [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

function store(
  database: MemoryDatabase,
  { key, agents, gone, events, lost = 0, replaceGone }: Published,
): Map<string, number> {
  const numbers = new Map<string, number>()
  const { name, epoch } = key
  database.versions += 1
  const version = database.versions
  for (const agent of agents) {
    const since = agent.since ?? ++database.connections
    numbers.set(agent.addr, since)
    database.rows.set(`${name} ${agent.addr}`, { ...structuredClone(agent), since, gone: false, name, epoch, version })
  }
  for (const addr of gone) {
    const row = database.rows.get(`${name} ${addr}`)
    if (row) Object.assign(row, { gone: true, epoch, version })
  }
  const others = [...database.rows.values()].filter(row => !row.gone && row.name !== name)
  const elsewhere = new Set<unknown>(others.map(({ addr }) => addr))
  database.eventId += lost
  for (const { time, event } of events) {
    database.eventId += 1
    const isReplaced = 'addr' in event && elsewhere.has(event.addr)
    const stored = JSON.parse(JSON.stringify(isReplaced ? replaceGone(event) : event))
    database.events.push({ id: database.eventId, host: name, time, event: stored })
  }
  return numbers
}
