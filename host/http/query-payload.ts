// Builds the payload of a GET without a body from its query: browsers and other programs cannot send a GET with a body.
import { commonSchemas } from '../contract/named-schemas.ts'

const field = (schema: unknown, key: string): unknown =>
  schema instanceof Object ? Reflect.get(schema, key) : undefined

/**
 * The values as the types of the schema ask for: lists from repeated keys or commas, numbers, booleans. A text that is
 * none stays a text, which the schema then refuses. Undefined for an empty query. Keys of the command's schema `query`
 * are no payload.
 */
export function payloadOf(
  { payload, query }: { payload?: object | undefined; query?: object | undefined },
  texts: Readonly<Record<string, string>>,
): object | undefined {
  const properties = field(payload, 'properties')
  const isPayload = (key: string) => field(properties, key) !== undefined || !field(field(query, 'properties'), key)
  const entries = Object.entries(texts).filter(([key]) => isPayload(key))
  if (entries.length === 0) return undefined
  return Object.fromEntries(entries.map(([key, text]) => [key, toValue(field(properties, key), text)]))
}

function toValue(declared: unknown, text: string): unknown {
  const schema = resolve(declared)
  const types = [field(schema, 'type')].flat()
  if (types.includes('array')) return text.split(',').map(item => toValue(field(schema, 'items'), item))
  if (types.includes('string')) return text
  if ((types.includes('integer') || types.includes('number')) && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

/** Follows a reference to a common schema. */
function resolve(schema: unknown): unknown {
  const reference = field(schema, '$ref')
  return Object.entries(commonSchemas).find(([name]) => name === reference)?.[1] ?? schema
}
