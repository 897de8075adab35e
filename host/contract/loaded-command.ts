// A command file that passed its checks: what the rest of the host knows of a command.
import type { Command, Forward } from './command.ts'
import type { Check, ModuleFile } from './loaded-file.ts'
import type { OldForwardKeys, OldKeys } from './old-keys.ts'
import type { Access } from './services.ts'

export type { Check, LoadedFile } from './loaded-file.ts'

type Declared = Command<object, object, object>

/** What a file declares, with the keys of contract 2 in the groups of contract 3. */
export interface CurrentCommand extends Omit<Declared, keyof OldKeys | 'imaging' | 'forward'> {
  imaging?: 'read' | 'write'
  forward?: Omit<Forward<unknown, object>, keyof OldForwardKeys>
}

/** One version of one command file, with its schemas compiled. */
export interface LoadedCommand extends ModuleFile {
  kind: 'command'
  command: CurrentCommand
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** The role that callers need. */
  access: Access
  /** The required keys of the payload that list addresses of computers. */
  clientKeys: readonly string[]
  /** All keys of the payload with addresses of computers, for the log and the audit log. */
  targetKeys: readonly string[]
  /** Its payload has `clients`, which callers may also name by `where` or `group`. */
  findsClients: boolean
  /**
   * Each check is undefined when the command declares no such schema. Those of payload and query give absent keys the
   * defaults of the schema.
   */
  checkPayload: Check | undefined
  checkQuery: Check | undefined
  checkReply: Check | undefined
}
