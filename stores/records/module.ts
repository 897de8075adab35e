// What the store keeps for modules: documents of packs, and events of what has happened to stored things.
import { asText, number, plain, type RecordOf, record, text } from './record-columns.ts'

export const document = record({
  id: number,
  /** The name of a pack; '' for the daemon's own. */
  pack: text,
  collection: text,
  key: text,
  /** JSON. */
  value: text,
  /** From 1 on, grows with each change. */
  version: number,
})

export interface DocumentRecord extends RecordOf<typeof document> {}

export const storedEvent = record({
  id: number,
  /** Milliseconds since 1970. */
  time: number,
  /** See host/contract/fleet-events.ts. */
  event: asText(plain<{ type: string }>()),
})

/** An event of a write. */
export interface StoredEvent extends RecordOf<typeof storedEvent> {}
