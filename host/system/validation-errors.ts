// Formats JSON Schema errors as one line: `where: expected Y, got X`.
import { inspect } from 'node:util'
import type { ErrorObject } from 'ajv'
import { closest } from 'fastest-levenshtein'

/**
 * The reason behind the errors of one ajv validation, which must have run with `verbose`. `whole` names the value
 * that was checked, for errors that concern no single key.
 */
export function formatAjvErrors(errors: ErrorObject[] | null | undefined, whole: string): string {
  const last = errors?.at(-1)
  if (!errors || !last) return `${whole}: not valid`
  // Of alternatives ajv reports each branch, then the choice itself.
  const branches = last.keyword === 'anyOf' ? errors.slice(0, -1).map(error => reason(error, whole)) : []
  return branches.length > 0 ? [...new Set(branches)].join(', or ') : reason(last, whole)
}

function reason({ keyword, params, instancePath, data, parentSchema, message }: ErrorObject, whole: string): string {
  const where = instancePath === '' ? whole : keyPath(instancePath)
  // JSON Schema's mark for what is not given back.
  const got = parentSchema?.writeOnly ? 'a value that is kept secret' : show(data)
  const format = (expected: unknown) => `${where}: expected ${expected}, got ${got}`
  switch (keyword) {
    case 'required':
      return `${where}: ${params.missingProperty} is missing`
    case 'additionalProperties':
      return `${where}: ${unknownKey(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`
    case 'type':
      return format(typeName(params.type))
    case 'enum':
      return format(params.allowedValues.map(show).join(' or '))
    case 'minItems':
      return format(`at least ${params.limit} elements`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return format(`a number ${params.comparison} ${params.limit}`)
    case 'minLength':
      return format(`a text of at least ${params.limit} character`)
    case 'format':
    case 'pattern':
      return format(parentSchema?.description ?? `text like ${params.pattern ?? params.format}`)
    default:
      return `${where}: ${parentSchema?.description ?? message ?? keyword}, got ${got}`
  }
}

/** `expected clients, got unknown key "clint"`. */
export function unknownKey(name: string, known: readonly string[]): string {
  return `expected ${known.length === 0 ? 'no keys' : closest(name, known)}, got unknown key ${JSON.stringify(name)}`
}

/** A JSON pointer as people write it: `clients[0]`, `rest.port`. */
function keyPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
    .replace(/^\./, '')
}

function typeName(type: string | string[]): string {
  const names: Record<string, string> = { integer: 'a whole number', object: 'an object', array: 'a list' }
  return [type]
    .flat()
    .map(one => names[one] ?? `a ${one}`)
    .join(' or ')
}

/** A value short enough for a log line, however large or deep it is. */
function show(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  const text = value instanceof Object ? inspect(value, brief) : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const brief = { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3, maxStringLength: 40 }
