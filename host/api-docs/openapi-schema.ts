// Turns a module's schema, JSON Schema of draft 7 with named pieces, into the one that OpenAPI 3.1 has.

const isObject = (value: unknown): value is Record<string, unknown> => value instanceof Object && !Array.isArray(value)

/** Their keys are names, not words of JSON Schema. */
const ofNames = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas'])

/** Their values are data. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** `place` is where the schema comes to be in the document: what refers to its own parts is led there. */
export function translate(schema: unknown, place: string): unknown {
  if (Array.isArray(schema)) return schema.map(one => translate(one, place))
  if (!isObject(schema)) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => wordOf(key, value, schema, place)))
}

function wordOf(key: string, value: unknown, { items }: Record<string, unknown>, place: string): [string, unknown][] {
  if (key === '$ref' && typeof value === 'string') {
    return [[key, value.startsWith('#') ? `${place}${value.slice(1)}` : `#/components/schemas/${value}`]]
  }
  // An own base would lead all references below it astray.
  if (key === '$id' || key === '$schema') return []
  if (data.has(key)) return [[key, value]]
  if (ofNames.has(key) && isObject(value)) {
    return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, translate(one, place)]))]]
  }
  if (key === 'items' && Array.isArray(value)) return [['prefixItems', translate(value, place)]]
  if (key === 'additionalItems') return Array.isArray(items) ? [['items', translate(value, place)]] : []
  return [[key, translate(value, place)]]
}
