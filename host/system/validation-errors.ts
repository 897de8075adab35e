// Formats JSON Schema errors as one line: `where: expected Y, got X`.
import type { ErrorObject } from 'ajv'
import { closest } from 'fastest-levenshtein'
import { showValue } from '../log/shown-text.ts'

/**
 * Options of ajv for schemas that are written here, which need no check. Code of which much runs once is not optimized: V8
 * does it where it is worth it.
 */
export const ownSchemas = { meta: false, validateSchema: false, code: { optimize: false } } as const

/**
 * Formats the errors of one ajv validation, which must have run with `verbose`. `rootName` names the checked value in
 * errors that concern no single key.
 */
export function formatAjvErrors(errors: ErrorObject[] | null | undefined, rootName: string): string {
  const last = errors?.at(-1)
  if (!errors || !last) return `${rootName}: not valid`
  // For `anyOf` ajv reports the errors of each branch, then one for the choice itself.
  const branches = last.keyword === 'anyOf' ? errors.slice(0, -1).map(error => formatError(error, rootName)) : []
  return branches.length > 0 ? [...new Set(branches)].join(', or ') : formatError(last, rootName)
}

function formatError(error: ErrorObject, rootName: string): string {
  const { keyword, params, instancePath, data, parentSchema, message } = error
  const where = instancePath === '' ? rootName : keyPath(instancePath)
  // `writeOnly` values are secrets: they must not reach the log.
  const got = parentSchema?.writeOnly ? 'a value that is kept secret' : showValue(data)
  // `expected` is our own annotation: the form of a value in the words of an error; `description` explains the key.
  const form = parentSchema?.expected ?? parentSchema?.description
  const format = (expected: unknown) => `${where}: expected ${expected}, got ${got}`
  switch (keyword) {
    case 'required':
      return `${where}: ${params.missingProperty} is missing`
    case 'additionalProperties':
      return `${where}: ${unknownKey(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`
    case 'type':
      return format(typeName(params.type))
    case 'enum':
      return format(params.allowedValues.map(showValue).join(' or '))
    case 'minItems':
      return format(`at least ${params.limit} ${params.limit === 1 ? 'element' : 'elements'}`)
    case 'maxItems':
      return `${where}: expected at most ${params.limit} elements, got ${Array.isArray(data) ? data.length : got}`
    case 'maxLines':
      return format(`at most ${parentSchema?.maxLines} lines`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return format(`a number ${params.comparison} ${params.limit}`)
    case 'minLength':
      return format(`a text of at least ${params.limit} ${params.limit === 1 ? 'character' : 'characters'}`)
    case 'format':
      return format(parentSchema?.expected ?? formatNames[params.format] ?? form ?? `text like ${params.format}`)
    case 'pattern':
      return format(form ?? `text like ${params.pattern}`)
    default:
      return `${where}: ${form ?? message ?? keyword}, got ${got}`
  }
}

const formatNames: Record<string, string> = {
  'date-time': 'an ISO time',
  email: 'an address of a mail',
  uri: 'an address such as https://host/path',
}

/** `expected clients, got unknown key "clint"`. */
export function unknownKey(name: string, validNames: readonly string[]): string {
  const beginning = name === '' ? undefined : validNames.find(each => each.startsWith(name))
  const expected = validNames.length === 0 ? 'no keys' : (beginning ?? closest(name, validNames))
  return `expected ${expected}, got unknown key ${JSON.stringify(name)}`
}

/** Converts a JSON pointer to the usual notation: `clients[0]`, `rest.port`. */
function keyPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map(part => (/^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`))
    .join('')
    .replace(/^\./, '')
}

function typeName(type: string | string[]): string {
  const names: Record<string, string> = {
    integer: 'a whole number',
    object: 'an object',
    array: 'a list',
    null: 'null',
  }
  return [type]
    .flat()
    .map(name => names[name] ?? `a ${name}`)
    .join(' or ')
}
