// What commands ask of the daemon itself: health, metrics, backup, events, command files, the API page and the console.

import type { finding } from '../../commands/_schemas/findings.ts'
import type { moduleFile } from '../../commands/_schemas/server.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal, Request, TextResponse } from './request.ts'

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

/** One statement about the server or a client. */
export type DoctorFinding = FromSchema<typeof finding>

/** Of this host of the fleet. */
export interface DiagnosisService {
  host(): { host: string; version: string }
  /** Connects to nothing but addresses of this server. */
  server(): Promise<DoctorFinding[]>
  /** Of an address, also of one without a record. */
  client(addr: string): Promise<DoctorFinding[]>
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
  /** The id of the newest event: who reads the events after it, and lists from now on, misses nothing. */
  newest(): number
  /** Server-sent events, until the caller disconnects or reads too slowly, its rights or session end, or the daemon stops. */
  read(
    filter: EventFilter,
    caller: Pick<Request, 'signal' | 'disconnect' | 'rights' | 'header' | 'isSecure'>,
  ): AsyncIterable<string> | Refusal
}

export interface ModulesService {
  /** Every module file, built-in ones first. */
  list(): ModuleEntry[]
  /** Modules that only other hosts of the fleet have; undefined in a daemon that runs alone. */
  elsewhere?(): { command: string; hosts: string[] }[]
}

/** The API reference of the commands in service. */
export interface ApiDocsService {
  /** An OpenAPI 3.1 document. */
  openapi(): object
  /** The same as JSON: the same bytes until a command changes. */
  json(): Uint8Array
  /** An HTML page that shows the document and loads nothing else. */
  page(): Promise<TextResponse>
}

/** The page that shows the fleet in a browser. */
export interface ConsoleService {
  /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
  respond(rest: readonly string[]): Promise<TextResponse>
}

/** A module file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
export type ModuleEntry = FromSchema<typeof moduleFile>
