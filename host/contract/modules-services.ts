// What commands do with command modules, the API document and the console.
import type { commandFile } from '../../commands/_schemas/command-file.ts'
import type { FromSchema } from './from-schema.ts'
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
  page(): Promise<TextResponse>
}

/** The page that shows the fleet in a browser. */
export interface ConsoleService {
  /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
  respond(rest: readonly string[], request: Pick<Request, 'header'>): Promise<TextResponse>
}

/** A command file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
export type ModuleEntry = FromSchema<typeof commandFile>
