// What readers get of an event of the log: its text, or nothing, by their filters and rights.
import { internalKeys } from '../contract/fleet-events.ts'
import type { Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { type EventView, limitEvent } from './event-rights.ts'
import { clientsOf } from './room-map.ts'

/** Whether a filter selects an event, which concerns these rooms. */
export type Matches = (event: FleetEvent, rooms: readonly number[]) => boolean

export interface LoggedEvent {
  id: number
  /** Milliseconds since 1970. */
  time: number
  /** Where it happened; undefined in a daemon that runs alone. */
  host: string | undefined
  event: FleetEvent
  rooms: readonly number[]
  /** Undefined until a reader needs it. */
  text: string | undefined
}

/** What a reader gets of an event, '' for nothing. With limited rights it has only what lies within them. */
export const textFor = (entry: LoggedEvent, matches: Matches, rights?: Rights): string =>
  rights?.isLimited ? limitedText(entry, matches, rights) : matchingText(entry, matches)

/** Whether a reader gets something of an event. */
export function selects(entry: LoggedEvent, matches: Matches, rights: Rights): boolean {
  const view = rights.isLimited ? limitEvent(entry, rights) : entry
  return view !== undefined && matches(view.event, view.rooms)
}

/** Called for the first reader only: events come thousands at a time, often without a reader. */
function matchingText(entry: LoggedEvent, matches: Matches): string {
  if (!matches(entry.event, entry.rooms)) return ''
  entry.text ??= textOf(entry, entry)
  return entry.text
}

/** The filter is asked about what the reader sees: it must not find out more. */
function limitedText(entry: LoggedEvent, matches: Matches, rights: Rights): string {
  const view = limitEvent(entry, rights)
  return view && matches(view.event, view.rooms) ? textOf(entry, view) : ''
}

/** Addresses in the text of a job's event. Filters see all of them. */
const listedClients = 100

function textOf({ id, time: milliseconds, host }: LoggedEvent, { event, rooms }: EventView): string {
  const { type, ...details } = event
  const time = new Date(milliseconds).toISOString()
  return sse(id, type, { id, time, type, ...listedClientsOf(event), rooms, host, ...details, ...internalKeys })
}

/** Of a job with thousands of clients, which `GET /jobs/<id>` lists, only the first ones and their number. */
function listedClientsOf(event: FleetEvent): { clients: string[]; clients_total?: number } {
  const clients = clientsOf(event)
  if (!('job' in event) || clients.length <= listedClients) return { clients }
  return { clients: clients.slice(0, listedClients), clients_total: clients.length }
}

export const sse = (id: number, type: string, data: object) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Sent by the stream itself, never in the log. */
export const heartbeatType = 'heartbeat'

/** The text of a reader in whose period a heartbeat was due. */
export function withHeartbeat(text: string, { hasHeartbeats }: { hasHeartbeats: boolean }): string {
  if (!hasHeartbeats) return text === '' ? ': alive\n\n' : text
  const data = { time: new Date().toISOString(), type: heartbeatType }
  // Also among other events: a browser shows a page neither comments nor events of types that the page does not name.
  // Without an id, as nothing is missed without it.
  return `${text}event: ${heartbeatType}\ndata: ${JSON.stringify(data)}\n\n`
}
