// Writes a schema of the API document as assistants read it: without references, and with what describes a value only.
import type { ApiDocument, Schema } from '../../contract/api-document.ts'

/** Some schemas contain themselves. */
const mostLevels = 6

const keywords = ['type', 'enum', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'pattern'] as const

export function inlineSchema(schema: Schema, document: ApiDocument, level = 0): Schema {
  if (level > mostLevels) return {}
  const inline = (one: Schema) => inlineSchema(one, document, level + 1)
  const target = schema.$ref === undefined ? schema : { ...targetOf(schema.$ref, document), ...schema }
  const { properties, required, items, anyOf, examples: [example] = [] } = target
  const shown =
    example === undefined ? '' : ` (such as ${typeof example === 'string' ? example : JSON.stringify(example)})`
  const description = `${target.description ?? ''}${shown}`.trim()
  return {
    ...Object.fromEntries(keywords.flatMap(key => (target[key] === undefined ? [] : [[key, target[key]]]))),
    ...(description !== '' && { description }),
    ...(items && { items: inline(items) }),
    ...(anyOf && { anyOf: anyOf.map(inline) }),
    ...(required && { required }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, inline(one)])),
    }),
  }
}

/** `{}` for a reference that leads nowhere. */
function targetOf(reference: string, document: ApiDocument): Schema {
  const keys = reference.replace(/^#\//, '').split('/')
  const names = keys.map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = names.reduce(
    (at: unknown, name) => (at instanceof Object ? Reflect.get(at, name) : undefined),
    document,
  )
  return found instanceof Object ? found : {}
}
