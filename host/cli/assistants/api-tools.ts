// Makes the tools of assistants from the API document: names, descriptions and schemas, and the request of a call.
import { type ApiDocument, type Operation, readOperation, type Schema } from '../../contract/api-document.ts'
import { unknownKey } from '../../system/validation-errors.ts'
import { CliError } from '../cli-error.ts'
import { mostRows, type Page } from './answer-text.ts'
import { inlineSchema } from './tool-schema.ts'

export interface ApiTool {
  name: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required: string[] }
  /** It changes nothing. */
  isRead: boolean
  /** Throws a CliError for arguments that the operation does not have. */
  request(values: Record<string, unknown>): { route: string; payload: object | undefined; page: Page }
}

interface Choice {
  /** Of the caller. */
  role: string
  /** Also what changes something. */
  operate: boolean
}

const roles = ['none', 'read', 'operate', 'admin']

/** By name. A path with a rest is one tool together with the path itself. */
export function toolsOf(document: ApiDocument, choice: Choice): Map<string, ApiTool> {
  const tools = new Map<string, ApiTool>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (path.endsWith(restSuffix) || !isTool(method, operation, choice)) continue
      tools.set(operation.operationId, toTool({ method, path, operation, document }))
    }
  }
  return tools
}

const restSuffix = '/{rest}'

/** GET routes that start no job, and with `operate` what needs that role and neither ends nor overwrites anything. */
function isTool(method: string, operation: Operation, { role, operate }: Choice): boolean {
  const { access, isDestructive } = readOperation(operation)
  if (isDestructive || operation['x-assistants'] === false) return false
  if (access === 'none' || roles.indexOf(role) < roles.indexOf(access)) return false
  const types = Object.keys(operation.responses['200']?.content ?? {})
  if (types.length > 0 && !types.includes('application/json')) return false
  if (isReading(method, operation)) return true
  return operate && access !== 'admin' && (method === 'get' || method === 'post')
}

const isReading = (method: string, { responses }: Operation) =>
  method === 'get' && !('X-Job-Id' in (responses['200']?.headers ?? {}))

interface Place {
  method: string
  path: string
  operation: Operation
  document: ApiDocument
}

function toTool(place: Place): ApiTool {
  const { method, path, operation, document } = place
  const { summary } = readOperation(operation)
  const payload = operation.requestBody?.content?.['application/json']?.schema
  const isRead = isReading(method, operation)
  const body = payload && inlineSchema(payload, document)
  const inBody = body?.properties ?? {}
  // A GET may have its payload in the query, too.
  const parameters = (operation.parameters ?? []).filter(({ name }) => !(name in inBody))
  const inQuery = Object.fromEntries(
    parameters.map(({ name, schema, description = '', example }) => [
      name,
      inlineSchema({ ...schema, description, examples: example === undefined ? [] : [example] }, document),
    ]),
  )
  const rest = document.paths[`${path}${restSuffix}`]?.[method]?.parameters?.find(each => each.in === 'path')
  const own: Record<string, Schema> = {
    ...(isRead && { skip_rows: skipSchema }),
    ...(rest && { rest: { type: 'string', description: `${rest.description}: what follows ${path}/` } }),
  }
  const properties = { ...own, ...inQuery, ...inBody }
  const required = [
    ...parameters.filter(each => each.required).map(({ name }) => name),
    ...(operation.requestBody?.required ? (body?.required ?? []) : []),
  ]
  const name = operation.operationId
  return {
    name,
    description: `${summary} (${method.toUpperCase()} ${path})`,
    inputSchema: { type: 'object', properties, required },
    isRead,
    request(values) {
      const unknown = Object.keys(values).find(key => !(key in properties))
      if (unknown !== undefined) throw new CliError(`${name}: ${unknownKey(unknown, Object.keys(properties))}`)
      const entries = Object.entries(values)
      const payload = Object.fromEntries(entries.filter(([key]) => key in inBody))
      const query = new URLSearchParams()
      for (const [key, value] of entries) if (key in inQuery && !(key in payload)) query.set(key, String(value))
      const isPaged = isRead && takesLimit(inQuery) && !query.has('limit')
      if (isPaged) query.set('limit', `${mostRows}`)
      const hasBody = operation.requestBody?.required || Object.keys(payload).length > 0
      return {
        route: `${method.toUpperCase()} ${path}${restOf(place, values.rest)}${query.size > 0 ? `?${query}` : ''}`,
        payload: hasBody ? payload : undefined,
        page: {
          skip: Math.max(0, Number(values.skip_rows) || 0),
          limit: isPaged ? mostRows : undefined,
          isFirst: !query.has('after'),
        },
      }
    },
  }
}

/** Whether pages can have as many rows as an answer shows. */
const takesLimit = ({ limit }: Record<string, Schema>) =>
  limit?.type === 'string' && limit.enum === undefined && new RegExp(limit.pattern ?? '', 'u').test(`${mostRows}`)

const skipSchema: Schema = { type: 'integer', minimum: 0, description: 'rows of the answer that were shown before' }

/** The end of the path. Throws where it would lead to another operation. */
function restOf({ method, path, document }: Place, rest: unknown): string {
  if (rest === undefined || rest === '') return ''
  const segments = String(rest).split('/')
  const whole = `${path}/${segments.map(encodeURIComponent).join('/')}`
  const isOther = (other: string, operations: object) =>
    method in operations && other.length > path.length && !other.endsWith(restSuffix) && whole.startsWith(other)
  const leads = Object.entries(document.paths).some(([other, operations]) => isOther(other, operations))
  if (leads || segments.some(segment => /^\.{0,2}$/.test(segment)))
    throw new CliError(`rest: expected what follows ${path}/, got ${rest}`)
  return whole.slice(path.length)
}
