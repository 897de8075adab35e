// What commands ask of the daemon itself: health, metrics, backup, events.
import type { Refusal, Request } from './request.ts'

export interface BackupService {
  /** The store as it is now, in the format of a backup file, in blocks of text. */
  blocks(): AsyncIterable<string>
}

export interface HealthService {
  /** One line for each reason why the daemon cannot work; empty when it can. */
  problems(): Promise<string[]>
  /** What an administrator should know of a daemon that works. */
  notes(): string[]
}

export interface MetricsService {
  /** The media type of `text`. */
  type: string
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
}

/** Which events a reader gets: an event must match each list that is not empty. `after`: the id of the last event that it has, '' for none. */
export interface EventFilter {
  /** `job-created`, or `job` for all types that begin with it. */
  types: string[]
  /** Addresses. */
  clients: string[]
  /** Ids. */
  rooms: string[]
  after: string
  /** Milliseconds: in this time only the newest `client-state` of a client, all other events at once. */
  coalesce?: string
}

export interface EventsService {
  /** Server-sent events, until the caller disconnects or reads too slowly, its rights or session end, or the daemon stops. */
  read(
    filter: EventFilter,
    caller: Pick<Request, 'signal' | 'disconnect' | 'rights' | 'header' | 'isSecure'>,
  ): AsyncIterable<string> | Refusal
}
