// What queries ask for that no store knows: who is connected now or was, is logged in, or has failed.
import type { Where } from '../../stores/store.ts'
import type { ClientEntry, SessionEntry } from '../contract/services.ts'

export interface LiveFacts {
  /** Connected clients, and those that are being woken. */
  clients(): readonly ClientEntry[]
  sessions(): readonly SessionEntry[]
  failures(): Promise<readonly { client: string; command: string }[]>
  /** When each address was last connected, in milliseconds since 1970; absent: never. */
  seen(): Promise<ReadonlyMap<string, number>>
  now(): number
  /** The condition of a group by its name in lower case or its id; undefined when there is none. */
  group(name: string): Where | undefined
}

/** Nothing is connected, and nothing was: for queries that are not asked. */
export const noFacts: Omit<LiveFacts, 'group'> = {
  clients: () => [],
  sessions: () => [],
  failures: async () => [],
  seen: async () => new Map(),
  now: () => 0,
}
