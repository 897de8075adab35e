// Derives command-line options from a payload's schema, and the payload from the values of these options.
import { type Command, Option } from 'commander'
import { isRequired, type Schema } from '../../contract/api-document.ts'
import { orThrow, usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { findId, kindOfKey, type RecordKind, readRecords } from './records.ts'

/** A key of the payload and its option. */
export interface Field {
  key: string
  schema: Schema
  option: Option
  isFlag: boolean
  required: boolean
  /** What its value names, if it is the id of a record, or the list of such ids. */
  record: RecordKind | undefined
}

/** The payload keys with addresses: every command has the same options for them. */
export const addressKeys = ['clients', 'client']

/** By keys that need not be typed although the payload requires them: what the help says in place of `required`. */
export type Filled = Readonly<Record<string, string>>

/** `reserved` are option names with another meaning. The path of `route` decides what a key `id` names. */
export function fieldsOf(payload: Schema, reserved: readonly string[], route: string, filled: Filled = {}): Field[] {
  const entries = Object.entries(payload.properties ?? {})
  const own = entries.filter(([key, { readOnly }]) => !readOnly && !reserved.includes(optionName(key)))
  return own.map(([key, schema]) => {
    const record = recordOf(key, schema, route)
    return fieldOf(key, schema, { required: isRequired(payload, key), record, note: filled[key] ?? 'required' })
  })
}

export const optionName = (key: string) => key.replaceAll('_', '-')

/** What stands behind the option, and how its text becomes a value. */
interface Kind {
  hint: string
  parse?(text: string, option: string): unknown
}

const kinds = {
  text: { hint: ' <text>' },
  flag: { hint: '' },
  list: { hint: ' <text...>' },
  record: { hint: ' <name or id>' },
  records: { hint: ' <name or id...>' },
  number: { hint: ' <number>', parse: parseNumber },
  json: { hint: ' <json>', parse: parseJson },
  netmask: { hint: ' <netmask or /24>', parse: text => dottedMask(text) ?? text },
  // The type behind a $ref is unknown here: a value that looks like JSON is parsed, any other is text.
  any: { hint: ' <value>', parse: (text, option) => (/^\s*[[{]/.test(text) ? parseJson(text, option) : text) },
} satisfies Record<string, Kind>

function fieldOf(
  key: string,
  schema: Schema,
  { required, record, note }: Pick<Field, 'required' | 'record'> & { note: string },
): Field {
  const kind: Kind = record ? kinds[isList(schema) ? 'records' : 'record'] : kindOf(schema)
  const { hint, parse } = kind
  const isFlag = hint === ''
  const notes = [
    required && !isFlag && note,
    schema.default !== undefined && `default: ${show(schema.default)}`,
    kind === kinds.list && !required && !schema.minItems && "'' for none",
  ]
  const suffix = notes.some(Boolean) ? ` (${notes.filter(Boolean).join(', ')})` : ''
  const name = `--${optionName(key)}`
  const option = new Option(`${name}${hint}`, `${schema.description ?? ''}${suffix}`.trim())
  if (schema.enum) option.choices(schema.enum.map(String))
  else if (parse) option.argParser(text => parse(text, name))
  return { key, schema, option, isFlag, required, record }
}

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const isNumeric = ({ type }: Schema) => [type].flat().some(one => one === 'integer' || one === 'number')
const isList = ({ type }: Schema) => type === 'array'
/** A text of digits alone, as queries have them. */
const isDigits = ({ pattern = '' }: Schema) => /^\^(\\d|\[0-9\])[^|]*\$$/.test(pattern)

/** Undefined for a key that is no id: `repository` may be an address. Of `rooms` it is that of the elements. */
function recordOf(key: string, schema: Schema, route: string): RecordKind | undefined {
  if (isList(schema)) return isNumeric(schema.items ?? {}) ? kindOfKey(key.replace(/s$/, ''), route) : undefined
  const mayBeId = isNumeric(schema) || isDigits(schema) || schema.$ref?.endsWith('id') || /(^|_)id$/.test(key)
  return mayBeId && !schema.enum ? kindOfKey(key, route) : undefined
}

function kindOf({ type, enum: choices, items, $ref }: Schema): Kind {
  if ($ref?.endsWith('/netmask')) return kinds.netmask
  if (choices) return kinds.text
  if (type === 'boolean') return kinds.flag
  if (type === 'integer' || type === 'number') return kinds.number
  if ([type].flat().includes('string')) return kinds.text
  if (type === 'array') return items?.type === 'string' ? kinds.list : kinds.json
  return type === 'object' ? kinds.json : kinds.any
}

export function addFields(command: Command, fields: Field[]): void {
  for (const { option, isFlag, key } of fields) {
    command.addOption(option)
    if (isFlag) command.addOption(new Option(`--no-${optionName(key)}`).hideHelp())
  }
}

/** Options override the keys of `json`. */
export function payloadOf(fields: Field[], values: Record<string, unknown>, json = '{}'): Record<string, unknown> {
  const payload = parseObject(json)
  for (const { key, isFlag, option, schema, required } of fields) {
    const typed = values[option.attributeName()]
    const value = isJsonList(typed) ? parseJson(typed[0], `--${option.name()}`) : isNone(typed) ? [] : typed
    // The choices of an option are texts.
    if (value !== undefined) payload[key] = schema.enum?.find(choice => String(choice) === value) ?? value
    // An absent flag means false.
    else if (isFlag && required) payload[key] ??= false
    else if (schema.proposed !== undefined) payload[key] ??= schema.proposed
  }
  return payload
}

/** Replaces the names of records by their ids. */
export async function resolveRecords(
  api: ApiClient,
  fields: Field[],
  values: Record<string, unknown>,
  payload: Record<string, unknown>,
): Promise<void> {
  for (const field of fields) {
    const { key, option, schema } = field
    const text = values[option.attributeName()]
    const kind = recordKindIn(field, payload)
    if (kind === undefined) continue
    const name = `--${option.name()}`
    const find = (one: string) => findId(api, kind, name, one)
    if (Array.isArray(text) && !isJsonList(text)) payload[key] = await Promise.all(text.map(find))
    if (typeof text !== 'string') continue
    const id = await find(text)
    payload[key] = schema.type === 'integer' || schema.type === 'number' ? id : String(id)
    // A record whose id and name are both required may be named by its id alone.
    if (key !== 'id' || 'name' in payload || !fields.some(other => other.key === 'name' && other.required)) continue
    const record = (await readRecords(api, kind)).find(each => each.id === id)
    if (record) payload.name = record.name
  }
}

/** In place of a list of words. */
const isJsonList = (value: unknown): value is [string] =>
  Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' && value[0].startsWith('[')

const isNone = (value: unknown) => Array.isArray(value) && value.length === 1 && value[0] === ''

/** A schedule has a task or a procedure in its key `task`, and `type` is which of them. */
export const recordKindIn = ({ record }: Field, { type }: Record<string, unknown>): RecordKind | undefined =>
  record === 'task' && type === 'procedure' ? 'procedure' : record

function parseObject(json: string): Record<string, unknown> {
  const value = parseJson(json, '--json')
  if (value instanceof Object && !Array.isArray(value)) return { ...value }
  throw usageError(`--json: expected an object such as {"run": "uname -a"}, got ${json}`)
}

function parseNumber(text: string, option: string): number {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  throw usageError(`${option}: expected a number, got ${text}`)
}

/** `255.255.255.0` of `/24` or `24`; undefined for another text. */
function dottedMask(text: string): string | undefined {
  const [, bits] = /^\/?([12]?\d|3[0-2])$/.exec(text) ?? []
  if (bits === undefined) return undefined
  const ones = 2 ** 32 - 2 ** (32 - Number(bits))
  return [24, 16, 8, 0].map(shift => (ones >>> shift) & 255).join('.')
}

function parseJson(text: string, option: string): unknown {
  const toError = (reason: string) => usageError(`${option}: expected JSON, got ${text}: ${reason}`)
  return orThrow(() => JSON.parse(text), toError)
}
