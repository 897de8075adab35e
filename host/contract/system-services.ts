// What commands ask of the daemon itself: health, metrics, backup, events, limits.
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

/** The options' section `limits`: bytes, characters and seconds. */
export interface Limits {
  request: number
  response: number
  forward: number
  output: number
  answer_seconds: number
  expiry_seconds: number
  /** Seconds that the event loop may be blocked before the process is ended. */
  hang_seconds: number
  /** Memory of the events that are kept for readers. */
  events_bytes: number
  jobs_days: number
  jobs_count: number
  /** Months that the files of the audit log are kept, 0: for ever. */
  audit_months: number
  /** Bytes that the outputs of all jobs may take. */
  outputs_bytes: number
  /** Steps of one run of a task or procedure. */
  run_steps: number
  /** Steps times clients of one run. */
  run_parts: number
  /** Parts in the queue of the fleet, and those of one account. */
  waiting_parts: number
  waiting_parts_per_caller: number
  /** Connections of callers, loopback and others counted apart. */
  connections: number
  connections_per_address: number
}
