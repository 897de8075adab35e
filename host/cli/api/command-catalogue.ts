// The commands that the daemon serves, with their payloads: from its OpenAPI document, or from command files.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type ApiDocument, type Operation, readOperation, type Schema } from '../../contract/api-document.ts'
import { formatAjvErrors } from '../../system/validation-errors.ts'
import { CliError } from '../cli-error.ts'
import { builtInFolder } from '../installation.ts'
import type { ApiClient } from './client.ts'
import { unknownName } from './near-name.ts'
import { listServed, type ServedModule } from './served-commands.ts'

export interface CommandInfo extends ReturnType<typeof detailsOf> {
  name: string
  /** Method and path. */
  route: string
  /** Method and path of the request to agents; undefined when it is not forwarded. */
  forward: string | undefined
}

/** What is read of the document. */
interface Document {
  paths: Record<string, Record<string, Partial<Operation>>>
  components?: Partial<ApiDocument['components']>
}

/** Finds a command by name or alias. */
export async function findCommand(api: ApiClient, name: string): Promise<CommandInfo> {
  const served = await listServed(api)
  const document = await api.call('GET /openapi.json').then(({ body }) => body, undefinedIfAbsent)
  const infoOf = async (entry: ServedModule): Promise<CommandInfo> => {
    const { command, route, forward } = entry
    const details = detailsInDocument(document ?? (await describeFile(entry)), route) ?? noDetails
    return { name: command, route, forward, ...details }
  }
  const isNamed = (other: string) => normalizeName(other) === normalizeName(name)
  const sameName = served.find(({ command }) => isNamed(command))
  if (sameName) return infoOf(sameName)
  for (const entry of served) {
    const info = await infoOf(entry)
    if (info.aliases.some(isNamed)) return info
  }
  const names = served.map(({ command }) => ({ name: command }))
  throw unknownName('send', name, names)
}

/** `/`, `-` and `_` are equal in names. */
const normalizeName = (name: string) => name.replaceAll(/[/_]/g, '-')

/** Other daemons with this API have no document: they respond with 404 or 400. */
function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof CliError && (error.status === 404 || error.status === 400))) throw error
}

/** The document of one command: of the file in service if it is on this machine, else of this installation's file. */
async function describeFile({ file, command, origin }: ServedModule): Promise<Document> {
  const existing = [file, join(builtInFolder, `${command}.ts`)].find(path => existsSync(path))
  if (!existing) return { paths: {} }
  const [{ TrackedFile }, { describeApi }] = await Promise.all([
    import('../../modules/tracked-file.ts'),
    import('../../api-docs/openapi.ts'),
  ])
  const tracked = new TrackedFile({ file: existing, origin, sequence: 0, pass: 0 })
  await tracked.load()
  return describeApi(tracked.newest?.kind === 'command' ? [tracked.newest] : [])
}

export function detailsInDocument({ paths, components }: Document, route: string) {
  const [method = '', path = ''] = route.split(' ')
  const operation = paths[path]?.[method.toLowerCase()]
  return operation && detailsOf(operation, components)
}

function detailsOf(operation: Partial<Operation>, components?: Document['components']) {
  const details = readOperation(operation)
  return {
    ...details,
    payload: details.payload && withReferences(details.payload, components),
    query: querySchema(operation),
    /** Returns why a payload is invalid. */
    check(payload: unknown): string | undefined {
      if (details.payload === undefined) return undefined
      // Only the daemon knows its formats; it checks the payload again in any case.
      const ajv = new Ajv2020({ strict: false, verbose: true, validateFormats: false })
      const validate = ajv.compile({ ...details.payload, components })
      return validate(payload) ? undefined : formatAjvErrors(validate.errors, 'payload')
    },
  }
}

/** Keys that refer to a common schema have what it says, too. */
function withReferences(payload: Schema, components: Document['components']): Schema {
  const entries = Object.entries(payload.properties ?? {}).map(([key, schema]) => {
    const name = schema.$ref?.replace('#/components/schemas/', '') ?? ''
    return [key, { ...components?.schemas?.[name], ...schema }]
  })
  return { ...payload, properties: Object.fromEntries(entries) }
}

/** The query as a schema. */
function querySchema({ parameters = [] }: Partial<Operation>): Schema {
  const inQuery = parameters.filter(each => each.in === 'query')
  return {
    required: inQuery.flatMap(({ name, required }) => (required ? name : [])),
    properties: Object.fromEntries(
      inQuery.map(({ name, schema, description = '', example }) => [
        name,
        { ...schema, description, ...(example !== undefined && { examples: [example] }) },
      ]),
    ),
  }
}

/** For an unknown command the payload is given as JSON, and only the daemon checks it. */
const noDetails = { ...detailsOf({}), payload: { properties: { clients: { $ref: 'clients' } } } }
