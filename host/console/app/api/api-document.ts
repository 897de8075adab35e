// What the console reads of the OpenAPI document: the commands that are for computers, with the schemas of their forms.

/** A JSON Schema with its references resolved. */
export interface FormSchema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  description?: string
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, FormSchema>>
  required?: readonly string[]
  items?: FormSchema
  prefixItems?: readonly FormSchema[]
  minItems?: number
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

interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: { name: string }[]
  responses?: Record<string, { headers?: object } | undefined>
  requestBody?: { content?: Record<string, { schema?: unknown; example?: Record<string, unknown> } | undefined> }
  'x-access'?: string
  /** The request to the agents. */
  'x-forward'?: string
  'x-destructive'?: boolean
  'x-needs-consent'?: boolean
  'x-previews'?: boolean
}

export interface ApiDocument {
  paths: Record<string, { post?: Operation }>
  tags?: { name: string }[]
}

/** Every POST whose payload requires `clients`. */
export function commandsOf(document: ApiDocument): CommandInfo[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const body = post?.requestBody?.content?.['application/json']
    if (!post || !body) return []
    const schema = resolve(body.schema, document, 0)
    if (!schema.required?.includes('clients')) return []
    return describe(path, post, schema, body.example ?? {})
  })
}

function describe(path: string, post: Operation, schema: FormSchema, example: Record<string, unknown>): CommandInfo {
  const { operationId: name = path, summary = name, tags: [group = ''] = [] } = post
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
    makesJob: 'X-Job-Id' in (post.responses?.['200']?.headers ?? {}),
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
function resolve(value: unknown, document: ApiDocument, level: number): FormSchema {
  if (!isObject(value) || level > maxLevels) return {}
  const { $ref: reference, ...own } = value
  const target = typeof reference === 'string' ? lookUp(reference, document) : {}
  const schema: Record<string, unknown> = { ...(isObject(target) ? target : {}), ...own }
  if (typeof schema.$ref === 'string') return resolve(schema, document, level + 1)
  const below = (each: unknown) => resolve(each, document, level + 1)
  const { properties, items, prefixItems } = schema
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, below(each)])),
    }),
    ...(isObject(items) && { items: below(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(below) }),
  }
}

/** A reference like `#/components/schemas/id`. */
const lookUp = (reference: string, document: ApiDocument): unknown =>
  reference
    .split('/')
    .slice(1)
    .map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), document)
