// The OpenAPI document of the API: what the daemon writes, and how its console and CLI read an operation of it.

/** A JSON Schema. */
export interface Schema {
  title?: string
  type?: string | readonly string[]
  $ref?: string
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  format?: string
  enum?: readonly unknown[]
  description?: string
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  prefixItems?: readonly Schema[]
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  pattern?: string
  /** What kind of text it is; such a text has several lines. */
  contentMediaType?: string
  /** What the daemon takes when the key is absent. */
  default?: unknown
  /** What is sent when nothing is chosen. */
  proposed?: unknown
  /** What the number is the id of: forms offer the names. */
  idOf?: 'room' | 'group'
  /** The daemon sets it: what callers send is ignored. */
  readOnly?: boolean
  /** It is a secret. */
  writeOnly?: boolean
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

/** What a body of one media type is. */
interface MediaType {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Response {
  /** To one of `components`, in place of what follows. */
  $ref?: string
  description?: string
  headers?: object
  content?: Record<string, MediaType | undefined>
}

export interface Operation {
  /** The name of the command, as in jobs: `shell-run`. */
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  responses: Record<string, Response | undefined>
  requestBody?: { required?: boolean; content?: Record<string, MediaType | undefined> }
  'x-access'?: string
  'x-origin'?: string
  'x-aliases'?: readonly string[]
  /** The request to the agents. */
  'x-forward'?: string
  /** Its payload takes `where` and `group` in place of `clients`. */
  'x-finds-clients'?: boolean
  'x-destructive'?: boolean
  'x-needs-consent'?: boolean
  /** False: no tool for an assistant. */
  'x-assistants'?: false
  'x-previews'?: boolean
}

export interface ApiDocument {
  openapi: '3.1.0'
  servers: object[]
  security: object[]
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description?: string }[]
  components: {
    schemas?: Record<string, Schema>
    responses?: Record<string, Response>
    securitySchemes: Record<string, { type: string; scheme?: string; name?: string; description?: string }>
  }
}

/** What every payload with `clients` may have in its place; no command declares it. */
const targets: Record<string, Schema> = {
  where: {
    type: 'string',
    description: 'in place of `clients`: a query of `GET /search`, which finds them when the request comes',
    examples: ['tag:exam'],
  },
  group: { type: 'integer', minimum: 1, description: 'in place of `clients`: the id of a group' },
}

/** The schema of a payload with `clients`, as callers may send it. */
export function withTargets({ properties: { clients = {}, ...others } = {}, ...payload }: Schema): Schema {
  const { required = [] } = payload
  const keys = ['clients', ...Object.keys(targets)]
  return {
    ...payload,
    properties: { clients, ...targets, ...others },
    required: required.filter(key => key !== 'clients'),
    ...(required.includes('clients') && { oneOf: keys.map(key => ({ required: [key] })) }),
  }
}

/** The schema that the command declares: forms and options choose computers in one way for all commands. */
function withoutTargets({ properties = {}, required = [], oneOf, ...payload }: Schema): Schema {
  const own = Object.entries(properties).filter(([key]) => !(key in targets))
  return { ...payload, properties: Object.fromEntries(own), required: oneOf ? ['clients', ...required] : required }
}

/** What callers must know of an operation. A daemon of another version may say less of it. */
export function readOperation(operation: Partial<Operation>) {
  const { summary = '', requestBody, responses, tags: [group = ''] = [] } = operation
  const { schema, example } = requestBody?.content?.['application/json'] ?? {}
  return {
    summary,
    group,
    access: operation['x-access'] ?? 'operate',
    aliases: operation['x-aliases'] ?? [],
    payload: schema && operation['x-finds-clients'] ? withoutTargets(schema) : schema,
    example,
    /** Whether callers should confirm it; `needsConsent`: scripts must, too. */
    isDestructive: operation['x-destructive'] === true || operation['x-needs-consent'] === true,
    needsConsent: operation['x-needs-consent'] === true,
    /** `?dry_run=1` shows of each computer what it would lose, or the like. */
    previews: operation['x-previews'] === true,
    /** Whether it responds with a stream of events. */
    streams: 'text/event-stream' in (responses?.['200']?.content ?? {}),
  }
}

/** Whether clients have an output after a command that is forwarded as `forward`: it runs a script. */
export const runsScript = (forward: string | undefined): boolean => forward === 'POST /shell/run'

/** Whether a caller has to set this key of a payload: one with a proposed or default value need not be. */
export const isRequired = ({ required = [], properties = {} }: Schema, key: string): boolean =>
  required.includes(key) && properties[key]?.proposed === undefined && properties[key]?.default === undefined
