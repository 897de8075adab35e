// The commands that the daemon serves, with their payloads: from its OpenAPI document, or from command files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formatAjvErrors } from '../../system/validation-errors.ts'
import { CliError } from '../cli-error.ts'
import { builtInFolder } from '../installation.ts'
import type { ApiClient } from './client.ts'
import type { Schema } from './payload-options.ts'
import { unknownName } from './records.ts'
import { listServed, type ServedModule } from './served-modules.ts'

export interface CommandDetails {
  summary: string
  aliases: readonly string[]
  payload: Schema | undefined
  example: unknown
  /** Whether callers should confirm it; `needsConsent`: scripts must, too. */
  destructive: boolean
  needsConsent: boolean
  /** `?dry_run=1` shows of each computer what it would lose, or the like. */
  previews: boolean
  /** Whether it responds with a stream of events. */
  streams: boolean
  /** Returns why a payload is invalid. */
  check(payload: unknown): string | undefined
}

export interface CommandInfo extends CommandDetails {
  name: string
  /** Method and path. */
  route: string
  /** Method and path of the request to agents; undefined when it is not forwarded. */
  forward: string | undefined
}

interface Operation {
  summary?: string
  'x-aliases'?: string[]
  'x-destructive'?: boolean
  'x-needs-consent'?: boolean
  'x-previews'?: boolean
  responses?: Record<string, { content?: Record<string, unknown> }>
  requestBody?: { content?: Record<string, { schema?: Schema; example?: unknown }> }
}

/** The part of an OpenAPI document that is read here. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Finds a command by name or alias. */
export async function findCommand(api: ApiClient, name: string): Promise<CommandInfo> {
  const served = await listServed(api)
  const document = await api.call<ApiDocument>('GET /openapi.json').then(({ body }) => body, undefinedIfAbsent)
  const readDetails: ReadDetails = entry => (document ? detailsInDocument(document, entry.route) : detailsInFile(entry))
  const sameName = served.find(({ command }) => command === normalizeName(name))
  const entry = sameName ?? (await findByAlias(served, name, readDetails))
  if (!entry) {
    const names = served.map(({ command }) => ({ name: command }))
    throw unknownName('send', name, names)
  }
  const { command, route, forward } = entry
  return { name: command, route, forward, ...((await readDetails(entry)) ?? noDetails) }
}

/** `/`, `-` and `_` are equal in names. */
const normalizeName = (name: string) => name.replaceAll(/[/_]/g, '-')

type ReadDetails = (entry: ServedModule) => CommandDetails | undefined | Promise<CommandDetails | undefined>

async function findByAlias(
  served: ServedModule[],
  name: string,
  readDetails: ReadDetails,
): Promise<ServedModule | undefined> {
  for (const entry of served) {
    const { aliases = [] } = (await readDetails(entry)) ?? {}
    if (aliases.some(alias => normalizeName(alias) === normalizeName(name))) return entry
  }
  return undefined
}

/** Other daemons with this API have no document: they respond with 404 or 400. */
function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof CliError && (error.status === 404 || error.status === 400))) throw error
}

export function detailsInDocument({ paths, components }: ApiDocument, route: string): CommandDetails | undefined {
  const [method = '', path = ''] = route.split(' ')
  const operation = paths[path]?.[method.toLowerCase()]
  return operation && detailsOf(operation, components)
}

function detailsOf(operation: Operation, components?: ApiDocument['components']): CommandDetails {
  const { schema, example } = operation.requestBody?.content?.['application/json'] ?? {}
  return {
    summary: operation.summary ?? '',
    aliases: operation['x-aliases'] ?? [],
    payload: schema,
    example,
    destructive: operation['x-destructive'] === true,
    needsConsent: operation['x-needs-consent'] === true,
    previews: operation['x-previews'] === true,
    streams: eventStream in (operation.responses?.[200]?.content ?? {}),
    check(payload) {
      if (schema === undefined) return undefined
      // Only the daemon knows its formats; it checks the payload again in any case.
      const ajv = new Ajv2020({ strict: false, verbose: true, validateFormats: false })
      const validate = ajv.compile({ ...schema, components })
      return validate(payload) ? undefined : formatAjvErrors(validate.errors, 'payload')
    },
  }
}

/** Reads the file in service if it is on this machine, else the built-in file of this installation. */
async function detailsInFile({ file, command: name }: ServedModule): Promise<CommandDetails | undefined> {
  const existing = [file, join(builtInFolder, `${name}.ts`)].find(path => existsSync(path))
  if (!existing) return undefined
  const { loadFile } = await import('../../modules/load-file.ts')
  const { checked } = await loadFile(existing)
  if (!checked) return undefined
  const { summary, aliases = [], payload, example, destructive, needsConsent, preview, mediaType } = checked.command
  return {
    summary,
    aliases,
    payload,
    example,
    destructive: destructive === true,
    needsConsent: needsConsent === true,
    previews: preview !== undefined,
    streams: mediaType === eventStream,
    check: value => checked.checkPayload?.(value),
  }
}

const eventStream = 'text/event-stream'

/** For an unknown command the payload is given as JSON, and only the daemon checks it. */
const noDetails: CommandDetails = {
  ...detailsOf({}),
  payload: { properties: { clients: { $ref: 'clients' } } },
}
