// Reads the OpenAPI document: for the forms of the console the commands that are for computers, for the API page all.

/** A JSON Schema with its references resolved. */
export interface FormSchema {
  title?: string
  type?: string | readonly string[]
  anyOf?: readonly FormSchema[]
  format?: string
  enum?: readonly unknown[]
  description?: string
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, FormSchema>>
  required?: readonly string[]
  items?: FormSchema
  prefixItems?: readonly FormSchema[]
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  pattern?: string
  /** What kind of text it is; such a text has several lines. */
  contentMediaType?: string
  /** What is sent when nothing is chosen. */
  proposed?: unknown
}

export interface Field {
  key: string
  schema: FormSchema
  isRequired: boolean
  /** What the command's example has. */
  example: unknown
}

export interface CommandInfo {
  /** As in the jobs: `shell-run`. */
  name: string
  path: string
  summary: string
  group: string
  access: string
  isDestructive: boolean
  /** `?dry_run=1` shows what each computer would lose, or the like. */
  previews: boolean
  /** It is sent to agents: those that are off or busy can get it later. */
  canWait: boolean
  /** It makes a job, so that it can be a step of a procedure. */
  makesJob: boolean
  /** Its computers have an output of a script afterwards. */
  runsScript: boolean
  /** Without `clients`. */
  fields: readonly Field[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: unknown
  example?: string
}

interface Content {
  schema?: unknown
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface Response {
  description?: string
  headers?: object
  content?: Record<string, Content | undefined>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: Parameter[]
  responses: Record<string, Response | undefined>
  requestBody?: { required?: boolean; content?: Record<string, Content | undefined> }
  'x-access'?: string
  'x-origin'?: string
  'x-aliases'?: string[]
  /** The request to the agents. */
  'x-forward'?: string
  'x-destructive'?: boolean
  'x-needs-consent'?: boolean
  'x-previews'?: boolean
}

export interface ApiDocument {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description?: string }[]
  components: {
    securitySchemes: Record<string, { type: string; scheme?: string; name?: string; description?: string }>
  }
}

/** Every POST whose payload requires `clients`. */
export function commandsOf(document: ApiDocument): CommandInfo[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const body = post?.requestBody?.content?.['application/json']
    if (!post || !body) return []
    const schema = resolve(body.schema, document)
    if (!schema.required?.includes('clients')) return []
    return describe(path, post, schema, isObject(body.example) ? body.example : {})
  })
}

function describe(path: string, post: Operation, schema: FormSchema, example: Record<string, unknown>): CommandInfo {
  const { operationId: name, summary, tags: [group = ''] = [] } = post
  const fields = Object.entries(schema.properties ?? {}).filter(([key]) => key !== 'clients')
  return {
    name,
    path,
    summary,
    group,
    access: post['x-access'] ?? 'operate',
    isDestructive: post['x-destructive'] === true || post['x-needs-consent'] === true,
    previews: post['x-previews'] === true,
    canWait: post.parameters?.some(parameter => parameter.name === 'queue') ?? false,
    makesJob: 'X-Job-Id' in (post.responses['200']?.headers ?? {}),
    runsScript: post['x-forward'] === 'POST /shell/run',
    fields: fields.map(([key, field]) => ({
      key,
      schema: field,
      isRequired: (schema.required?.includes(key) ?? false) && field.proposed === undefined,
      example: example[key],
    })),
  }
}

/** More levels than a form shows; also the end of schemas that contain themselves. */
const maxLevels = 6

const isObject = (value: unknown): value is Record<string, unknown> => value instanceof Object && !Array.isArray(value)

/** The schema with what its references lead to. */
export function resolve(value: unknown, document: ApiDocument, level = 0): FormSchema {
  if (!isObject(value) || level > maxLevels) return {}
  const { $ref: reference, ...own } = value
  const target = typeof reference === 'string' ? lookUp(reference, document) : {}
  const schema: Record<string, unknown> = { ...(isObject(target) ? target : {}), ...own }
  if (typeof schema.$ref === 'string') return resolve(schema, document, level + 1)
  const below = (each: unknown) => resolve(each, document, level + 1)
  for (const key of ['prefixItems', 'anyOf']) {
    const list = schema[key]
    if (Array.isArray(list)) schema[key] = list.map(below)
  }
  const { properties, items } = schema
  if (isObject(items)) schema.items = below(items)
  if (isObject(properties))
    schema.properties = Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, below(each)]))
  return schema
}

/** The schema of the elements of a list. */
export const rowSchema = ({ items, prefixItems }: FormSchema): FormSchema | undefined => prefixItems?.[0] ?? items

/** A reference like `#/components/schemas/id`. */
const lookUp = (reference: string, document: ApiDocument): unknown =>
  reference
    .split('/')
    .slice(1)
    .map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), document)
