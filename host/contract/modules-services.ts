// What commands do with command modules, the API document and the console.
import type { Request, TextResponse } from './request.ts'

export interface ModulesService {
  /** Every command file, built-in ones first. */
  list(): ModuleEntry[]
  /** Commands that only other hosts of the fleet have; undefined in a daemon that runs alone. */
  elsewhere?(): { command: string; hosts: string[] }[]
}

/** The API reference of the commands in service. */
export interface ApiDocsService {
  /** An OpenAPI 3.1 document. */
  openapi(): object
  /** The same as JSON: the same bytes until a command changes. */
  json(): Uint8Array
  /** An HTML page that shows the document and loads nothing else. */
  page(): TextResponse
}

/** The page that shows the fleet in a browser. */
export interface ConsoleService {
  /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
  respond(rest: readonly string[], request: Pick<Request, 'header'>): Promise<TextResponse>
}

/** A command file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
export interface ModuleEntry {
  file: string
  command: string
  /** `built-in`, or the path of the site's folder. */
  origin: string
  /** How many versions were loaded since the start. */
  versions: number
  route?: string
  forward?: string
  version?: number
  /** ISO time. */
  loaded_at?: string
  /** Why the newest content is not in service. */
  error?: string
  /** Names of other hosts of the fleet that do not have the command. */
  missing_on?: string[]
  /** Names of other hosts of the fleet that have another version of it. */
  differs_on?: string[]
}
