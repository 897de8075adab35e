// The commands that the daemon serves, with what each takes: out of its API document, else out of command files here.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ModuleEntry } from '../../services.ts'
import { type Document, documentedTakes, hasAliases } from '../document.ts'
import { CliError, usageError } from '../terminal/failure.ts'
import type { ApiClient } from './client.ts'
import { unknown } from './scopes.ts'

/** As much of JSON Schema as options are made of. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | Schema[]
  description?: string
}

/** What a command takes. */
export interface Takes {
  summary: string
  aliases: readonly string[]
  payload: Schema | undefined
  example: unknown
  /** Why a payload does not fit. */
  check(payload: unknown): string | undefined
}

export interface CommandInfo extends Takes {
  name: string
  /** Method and path. */
  route: string
  /** Whether agents are sent it, now or later. */
  forwards: boolean
}

type Serving = ModuleEntry & { route: string }

const builtIn = (name: string) => fileURLToPath(new URL(`../../../commands/${name}.ts`, import.meta.url))

/** `/`, `-` and `_` are the same in a name. */
const plain = (name: string) => name.replaceAll(/[/_]/g, '-')

export async function listServing({ call }: ApiClient): Promise<Serving[]> {
  const { body } = await call<{ modules: ModuleEntry[] }>('GET /modules')
  return body.modules.flatMap(({ route, ...entry }) => (route === undefined ? [] : [{ ...entry, route }]))
}

/** The command of that name or alias. */
export async function findCommand(caller: ApiClient, wanted: string): Promise<CommandInfo> {
  const serving = await listServing(caller)
  // The one place that knows where schemas come from; a daemon of the family has no document.
  const document = await caller.call<Document>('GET /openapi.json').then(({ body }) => body, absent)
  const read: Source = entry => (document ? documentedTakes(document, entry.route) : takesHere(entry))
  const named = serving.find(({ command }) => command === plain(wanted))
  const found = named ?? (await findAlias(serving, wanted, document && hasAliases(document) ? read : takesHere))
  if (!found) {
    const names = serving.map(({ command }) => command)
    throw usageError(`send: ${unknown(wanted, names)}`)
  }
  const { command: name, route, forward } = found
  return { name, route, forwards: forward !== undefined, ...((await read(found)) ?? nothingKnown) }
}

type Source = (entry: Serving) => Takes | undefined | Promise<Takes | undefined>

async function findAlias(serving: Serving[], wanted: string, read: Source): Promise<Serving | undefined> {
  for (const entry of serving) {
    const { aliases = [] } = (await read(entry)) ?? {}
    if (aliases.some(alias => plain(alias) === plain(wanted))) return entry
  }
  return undefined
}

function absent(error: unknown): undefined {
  if (!(error instanceof CliError && (error.status === 404 || error.status === 400))) throw error
}

/** The file that serves, where the daemon runs on this machine; else the built-in one of this installation. */
async function takesHere({ file, command }: Serving): Promise<Takes | undefined> {
  const here = [file, builtIn(command)].find(path => existsSync(path))
  if (!here) return undefined
  const { loadFile: attempt } = await import('../../modules/load-file.ts')
  const { ready } = await attempt(here)
  if (!ready) return undefined
  const { summary, aliases = [], payload, example } = ready.command
  return { summary, aliases, payload, example, check: value => ready.checkPayload?.(value) }
}

/** Then its payload is given as JSON, and the daemon alone checks it. */
const nothingKnown: Takes = {
  summary: '',
  aliases: [],
  payload: { properties: { clients: { $ref: 'clients' } } },
  example: undefined,
  check: () => undefined,
}
