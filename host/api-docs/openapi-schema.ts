// Translates a command's JSON Schema, draft 7 with common schemas by name, into the dialect of OpenAPI 3.1.
import type { Schema } from '../contract/api-document.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value instanceof Object && !Array.isArray(value)

/** The keys below these keywords are names and not keywords. */
const keywordsWithNames = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas'])

/** The values of these keywords are data and not schemas. */
const keywordsWithData = new Set(['enum', 'const', 'default', 'proposed', 'examples', 'required'])

/** `pointer` is the place of the schema in the document: references to its own parts are translated to lead there. */
export const toOpenApi = (schema: object, pointer: string): Schema => translate(schema, pointer) as Schema // It stays one.

function translate(schema: unknown, pointer: string): unknown {
  if (Array.isArray(schema)) return schema.map(one => translate(one, pointer))
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]) => translateKeyword(key, value, schema, pointer))
  return Object.fromEntries(entries)
}

/** The entries that replace a keyword of `schema`. */
function translateKeyword(
  key: string,
  value: unknown,
  { items }: Record<string, unknown>,
  pointer: string,
): [string, unknown][] {
  if (key === '$ref' && typeof value === 'string') {
    return [[key, value.startsWith('#') ? `${pointer}${value.slice(1)}` : `#/components/schemas/${value}`]]
  }
  // With a base URI of its own, the references below it would lead elsewhere.
  if (key === '$id' || key === '$schema') return []
  if (keywordsWithData.has(key)) return [[key, value]]
  if (keywordsWithNames.has(key) && isObject(value)) {
    return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translate(one, pointer)]))]]
  }
  if (key === 'items' && Array.isArray(value)) return [['prefixItems', translate(value, pointer)]]
  if (key === 'additionalItems') return Array.isArray(items) ? [['items', translate(value, pointer)]] : []
  return [[key, translate(value, pointer)]]
}
