// The commands of the OpenAPI document that are for computers, with the fields of their forms.
import {
  type ApiDocument,
  isRequired,
  type Operation,
  readOperation,
  runsScript,
  type Schema,
} from '../../../contract/api-document.ts'

/** Its references are resolved. */
export type FormSchema = Omit<Schema, '$ref'>

export interface Field {
  key: string
  schema: FormSchema
  isRequired: boolean
  /** What the command's example has. */
  example: unknown
  /** Of a secret: the daemon has a value. */
  isSet?: boolean
}

export interface CommandInfo
  extends Pick<ReturnType<typeof readOperation>, 'summary' | 'group' | 'access' | 'isDestructive'> {
  /** As in the jobs: `shell-run`. */
  name: string
  path: string
  /** It is sent to agents: those that are off or busy can get it later. */
  canWait: boolean
  /** It makes a job, so that it can be a step of a procedure. */
  makesJob: boolean
  /** Its computers have an output of a script afterwards. */
  runsScript: boolean
  /** Without `clients`. */
  fields: readonly Field[]
}

/** Every POST whose payload requires `clients`. */
export function commandsOf(document: ApiDocument): CommandInfo[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    if (!post) return []
    const details = readOperation(post)
    const schema = resolve(details.payload, document)
    return schema.required?.includes('clients') ? describe(path, post, schema, details) : []
  })
}

/** The fields of any POST; none when there is no such. */
export function fieldsOf(path: string, document: ApiDocument): Field[] {
  const post = document.paths[path]?.post
  if (!post) return []
  const { payload, example } = readOperation(post)
  return fieldsIn(resolve(payload, document), example)
}

const fieldsIn = (schema: FormSchema, example: unknown): Field[] =>
  Object.entries(schema.properties ?? {})
    .filter(([, { readOnly }]) => !readOnly)
    .map(([key, field]) => ({
      key,
      schema: field,
      isRequired: isRequired(schema, key),
      example: isObject(example) ? example[key] : undefined,
    }))

function describe(
  path: string,
  post: Operation,
  schema: FormSchema,
  { summary, group, access, isDestructive, example }: ReturnType<typeof readOperation>,
): CommandInfo {
  return {
    name: post.operationId,
    path,
    ...{ summary, group, access, isDestructive },
    canWait: post.parameters?.some(parameter => parameter.name === 'queue') ?? false,
    makesJob: 'X-Job-Id' in (post.responses['200']?.headers ?? {}),
    runsScript: runsScript(post['x-forward']),
    fields: fieldsIn(schema, example).filter(({ key }) => key !== 'clients'),
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
