// Parses the filter of an event stream: types, clients and rooms.
import { isIPv4 } from 'node:net'
import { streamedTypes } from '../contract/fleet-events.ts'
import { refuse } from '../contract/refusal.ts'
import type { EventFilter, Refusal } from '../contract/services.ts'
import { heartbeatType, type Matches } from './event-text.ts'
import { clientsOf } from './room-map.ts'

export interface ParsedFilter {
  matches: Matches
  /** Whether heartbeats are events for this reader, whatever its clients and rooms; else they are comments. */
  hasHeartbeats: boolean
  /** Equal for filters that match the same events. */
  key: string
  /** Milliseconds in which a reader gets only the newest state of a client, 0: every state. */
  period: number
}

/** Milliseconds. */
const [shortestPeriod, longestPeriod] = [10, 60_000]

export function parseFilter({ types, clients, rooms, coalesce = '' }: EventFilter): ParsedFilter | Refusal {
  const known = [...streamedTypes, heartbeatType]
  const type = types.find(one => !known.some(each => isOfType(each, one)))
  if (type !== undefined) return refuse(`?type: expected one of ${known.join(', ')}, got ${type}`)
  const client = clients.find(one => !isIPv4(one))
  if (client !== undefined) return refuse(`?client: expected an IPv4 address, got ${client}`)
  const room = rooms.find(one => !/^\d{1,15}$/.test(one))
  if (room !== undefined) return refuse(`?room: expected digits, got ${room}`)
  const period = Number(coalesce)
  const isPeriod = /^\d{2,5}$/.test(coalesce) && period >= shortestPeriod && period <= longestPeriod
  if (coalesce !== '' && !isPeriod) {
    return refuse(`?coalesce: expected ${shortestPeriod} to ${longestPeriod} milliseconds, got ${coalesce}`)
  }
  const roomIds = rooms.map(Number)
  const selectedClients = new Set(clients)
  const selectedTypes = new Set<string>(
    streamedTypes.filter(eventType => types.length === 0 || types.some(one => isOfType(eventType, one))),
  )
  const matches: Matches = (event, eventRooms) =>
    // First, as it decides about most events: a filter must cost little when one peer causes many.
    selectedTypes.has(event.type) &&
    (clients.length === 0 || clientsOf(event).some(one => selectedClients.has(one))) &&
    (roomIds.length === 0 || roomIds.some(id => eventRooms.includes(id)))
  const hasHeartbeats = types.length === 0 || types.includes(heartbeatType)
  return { matches, hasHeartbeats, key: JSON.stringify([types, clients, rooms]), period }
}

/** `job` stands for all types that begin with `job-`. */
const isOfType = (eventType: string, type: string) => eventType === type || eventType.startsWith(`${type}-`)
