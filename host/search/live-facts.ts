// What queries ask for that no store knows: who is connected now, logged in, or has failed.
import type { Where } from '../../stores/store.ts'
import type { ClientEntry, SessionEntry } from '../contract/services.ts'

export interface LiveFacts {
  /** Connected clients, and those that are being woken. */
  clients(): readonly ClientEntry[]
  sessions(): readonly SessionEntry[]
  failures(): Promise<readonly { client: string; command: string }[]>
  /** The condition of a group by its name in lower case or its id; undefined when there is none. */
  group(name: string): Where | undefined
}
