// A command file that passed its checks: what the rest of the host knows of a command.
import type { Command } from './command.ts'
import type { Access } from './services.ts'

/** Returns why a value does not match a schema, undefined when it matches. */
export type Check = (value: unknown) => string | undefined

/** One version of one module file. */
export interface LoadedFile {
  /** The file's name without its extension; `<pack>/<file>` in packs whose file's name is not unique among its kind. */
  name: string
  /** The name of the folder with a `pack.ts`; a file outside of packs is a pack of its own, by its name. */
  pack: string
  file: string
  /** `built-in`, or the path of the site's folder. */
  origin: string
  /** Counts the versions of the file from 1. */
  version: number
  /** A fingerprint of the file with its imports: equal on all hosts that have the same version. */
  digest: string
  loadedAt: Date
}

/** One version of one command file, with its schemas compiled. */
export interface LoadedCommand extends LoadedFile {
  kind: 'command'
  command: Command<object, object, object>
  method: 'GET' | 'POST'
  path: string
  /** The role that callers need. */
  access: Access
  /** The required keys of the payload that list addresses of computers. */
  clientKeys: readonly string[]
  /** All keys of the payload with addresses of computers, for the log and the audit log. */
  targetKeys: readonly string[]
  /** Each check is undefined when the command declares no such schema. */
  checkPayload: Check | undefined
  checkQuery: Check | undefined
  checkReply: Check | undefined
}
