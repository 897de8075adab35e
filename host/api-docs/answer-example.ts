// Derives examples of payloads and answers from their schemas: from the `examples` of a schema and of those inside it.
import { commonSchemas } from '../contract/named-schemas.ts'
import { isObject } from './openapi-schema.ts'

/** `title` names one of several forms of an answer. */
export interface AnswerExample {
  title: string
  value: unknown
}

/** More levels than a person reads; also the end of schemas that contain themselves. */
const maxLevels = 8

/** One example, or one for each form of an answer that has several. */
export function answerExamples(schema: object): AnswerExample[] {
  const forms = 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
  return forms.map((form, index) => {
    const title = isObject(form) && typeof form.title === 'string' ? form.title : `Form ${index + 1}`
    return { title, value: exampleOf(form, schema, 0) }
  })
}

/** Of a command without an example of its own: one of its payload, when the schemas of all required keys have examples. */
export function payloadExample({ example, payload }: { example?: unknown; payload?: object }): unknown {
  if (example !== undefined || !isObject(payload) || !isObject(payload.properties)) return example
  const { properties, required = [] } = payload
  const isKnown = (key: unknown) => typeof key === 'string' && hasExamples(properties[key], payload)
  return Array.isArray(required) && required.every(isKnown) ? objectExample(payload, payload, 0) : undefined
}

/** `root` is the schema that references like `#/definitions/node` begin at. */
function exampleOf(schema: unknown, root: object, level: number): unknown {
  const target = resolve(schema, root)
  if (!isObject(target) || level > maxLevels) return null
  const { examples, enum: values, anyOf, type, items } = target
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if ('const' in target) return target.const
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], root, level + 1)
  if (type === 'object') return objectExample(target, root, level)
  if (type === 'array') return items === undefined ? [] : [exampleOf(items, root, level + 1)]
  return placeholders[String([type].flat()[0])] ?? null
}

/** For schemas without examples. */
const placeholders: Record<string, unknown> = { string: 'text', integer: 0, number: 0, boolean: false }

/** Optional keys are left out unless their schema has an example. */
function objectExample({ properties, required }: Record<string, unknown>, root: object, level: number): object {
  const names: unknown[] = Array.isArray(required) ? required : []
  const entries = Object.entries(isObject(properties) ? properties : {})
  const shown = entries.filter(([key, property]) => names.includes(key) || hasExamples(property, root))
  return Object.fromEntries(shown.map(([key, property]) => [key, exampleOf(property, root, level + 1)]))
}

function hasExamples(schema: unknown, root: object): boolean {
  const target = resolve(schema, root)
  return isObject(target) && Array.isArray(target.examples)
}

/** The schema that a reference leads to: a common one by its name, or a part of `root`. Other keys of it win. */
function resolve(schema: unknown, root: object): unknown {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema
  const { $ref: name, ...others } = schema
  const target = name.startsWith('#/')
    ? name
        .split('/')
        .slice(1)
        .reduce((at: unknown, key) => (isObject(at) ? at[key] : undefined), root)
    : Object.entries(commonSchemas).find(([key]) => key === name)?.[1]
  return isObject(target) ? { ...target, ...others } : undefined
}
