// The types of all payloads and answers in TypeScript, for programs that call the API: from its OpenAPI document.
import type { ApiDocument, Operation, Parameter, Schema } from '../../contract/api-document.ts'

/** The text of a module that exports `Api`: its keys are routes such as `GET /clients`. */
export function typescriptTypes({ info, components, paths }: ApiDocument): string {
  const schemas = Object.entries(components.schemas ?? {})
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  )
  return [
    `// The API of ${info.title} ${info.version}, as its modules in service declare it.`,
    'export interface Schemas {',
    ...schemas.map(([name, schema]) => `  ${keyOf(name)}: ${typeOf(schema)}`),
    '}',
    '',
    '/** By route: what a request has in its query and its body, and what is answered. */',
    'export interface Api {',
    ...operations.flatMap(({ route, operation }) => [
      `  /** ${operation.summary.replaceAll('*/', '')} */`,
      `  ${keyOf(route)}: { ${describe(operation)} }`,
    ]),
    '}',
    '',
  ].join('\n')
}

function describe({ parameters = [], requestBody, responses }: Operation): string {
  const query = parameters.filter(parameter => parameter.in === 'query')
  const payload = requestBody?.content?.['application/json']?.schema
  const answer = Object.entries(responses['200']?.content ?? {}).map(([type, media]) =>
    type === 'application/json' ? typeOf(media?.schema ?? {}) : 'string',
  )
  const payloadKey = requestBody?.required ? 'payload' : 'payload?'
  return [
    `query?: ${query.length === 0 ? '{}' : `{ ${query.map(describeParameter).join('; ')} }`}`,
    `${payloadKey}: ${payload ? typeOf(payload) : 'undefined'}`,
    `answer: ${answer.join(' | ') || 'undefined'}`,
  ].join('; ')
}

/** In a query everything is text; numbers are written as such. */
const describeParameter = ({ name }: Parameter) => `${keyOf(name)}?: string | number | readonly string[]`

const keyOf = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : `'${name.replaceAll(/['\\]/g, '\\$&')}'`)

const simpleTypes: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function typeOf(schema: Schema): string {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1]
  if (name !== undefined) return `Schemas[${JSON.stringify(name)}]`
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(form => `(${typeOf(form)})`).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map(type => simpleTypes[type] ?? composed(type, schema)).join(' | ') || 'unknown'
}

function composed(type: string, { items = {}, properties, required = [] }: Schema): string {
  if (type === 'array') return `(${typeOf(items)})[]`
  if (!properties) return 'Record<string, unknown>'
  const keys = Object.entries(properties).map(
    ([key, property]) => `${keyOf(key)}${required.includes(key) ? '' : '?'}: ${typeOf(property)}`,
  )
  return keys.length === 0 ? 'Record<string, unknown>' : `{ ${keys.join('; ')} }`
}
