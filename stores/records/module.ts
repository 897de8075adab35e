// What the store keeps for modules: documents of packs, and events of what has happened to stored things.
import { about, asText, milliseconds, number, plain, type RecordOf, record, text } from './record-columns.ts'

export const document = record(
  {
    id: number,
    pack: about("The name of a pack; '' for the daemon's own.", text),
    collection: text,
    key: text,
    value: about('JSON.', text),
    version: about('From 1 on, grows with each change.', number),
  },
  'Documents of packs.',
)

export interface DocumentRecord extends RecordOf<typeof document> {}

export const storedEvent = record({
  id: number,
  time: milliseconds,
  /** See host/contract/fleet-events.ts. */
  event: asText(plain<{ type: string }>()),
})

/** An event of a write. */
export interface StoredEvent extends RecordOf<typeof storedEvent> {}
