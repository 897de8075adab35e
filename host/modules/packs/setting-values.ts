// Pure rules of settings: defaults, secrets, and which stored values still match a changed schema.
import type { Check } from '../../contract/loaded-command.ts'
import { createSchemas } from '../schemas.ts'

export type Values = Record<string, unknown>

/** The keys that lead to a value. */
export type Path = readonly string[]

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertiesOf = (schema: unknown): [string, Values][] =>
  isObject(schema) && isObject(schema.properties)
    ? Object.entries(schema.properties).flatMap(([key, child]) => (isObject(child) ? [[key, child]] : []))
    : []

/** Where the secrets are: those in properties, and in properties of these. */
export function secretPaths(schema: object | undefined): Path[] {
  return propertiesOf(schema).flatMap(([key, child]) =>
    child.writeOnly === true ? [[key]] : secretPaths(child).map(path => [key, ...path]),
  )
}

/** Why a schema has secrets where they cannot be kept apart from the rest. */
export function misplacedSecret(schema: object, name: string): string | undefined {
  const count = JSON.stringify(schema).match(/"writeOnly":true/g)?.length ?? 0
  if (count === secretPaths(schema).length) return undefined
  return `${name}: expected writeOnly in properties of objects only, got one elsewhere`
}

/** Keys with which a schema says more about properties than `properties` does. */
const openKeys = ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf', 'if']

/** The schema that also refuses names which it does not declare, such as misspelt ones; as it is when it says so itself. */
export const closed = (schema: object): object =>
  'properties' in schema && !openKeys.some(key => key in schema) ? { ...schema, additionalProperties: false } : schema

export const nameOf = (path: Path): string => path.join('.')

export function valueAt(values: Values, path: Path): unknown {
  let value: unknown = values
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** Changes `values`; `undefined` removes it. Creates the objects on the way to a value. */
export function setAt(values: Values, [key = '', ...rest]: Path, value: unknown): void {
  if (rest.length > 0) {
    const inner = values[key]
    if (isObject(inner)) return setAt(inner, rest, value)
    if (value === undefined) return
    values[key] = {}
    return setAt(values, [key, ...rest], value)
  }
  if (value === undefined) delete values[key]
  else Object.defineProperty(values, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A copy without the values at these paths. */
export function without(values: Values, paths: readonly Path[]): Values {
  const copy = structuredClone(values)
  for (const path of paths) setAt(copy, path, undefined)
  return copy
}

export const hasDefaults = (schema: object): boolean =>
  propertiesOf(schema).some(([, child]) => 'default' in child || hasDefaults(child))

/** A copy in which absent keys have the defaults of the schema. */
export function withDefaults(schema: object | undefined, values: Values): Values {
  const copy = { ...values }
  for (const [key, child] of propertiesOf(schema)) {
    if (!Object.hasOwn(copy, key) && 'default' in child) copy[key] = structuredClone(child.default)
    const value = copy[key]
    if (isObject(value)) copy[key] = withDefaults(child, value)
  }
  return copy
}

/** Those values of declared keys that match the schema by themselves. */
export function matchingValues(schema: object, values: Values): Values {
  const declared = new Set(propertiesOf(schema).map(([key]) => key))
  const check: Check = createSchemas().compile({ ...schema, required: [] }, 'settings')
  const entries = Object.entries(values).filter(
    ([key, value]) => declared.has(key) && check({ [key]: value }) === undefined,
  )
  return Object.fromEntries(entries)
}
