// Derives command-line options from a payload's schema, and the payload from the values of these options.
import { type Command, Option } from 'commander'
import { message } from '../../log/log.ts'
import { usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { findId, kindOfKey, type RecordKind, readRecords } from './records.ts'

/** The part of JSON Schema that options are derived from. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | Schema[]
  description?: string
  examples?: unknown[]
  /** What is sent when no option says another value. */
  proposed?: unknown
}

type Kind = 'text' | 'number' | 'flag' | 'list' | 'json' | 'any' | 'record'

/** A key of the payload and its option. */
export interface Field {
  key: string
  kind: Kind
  option: Option
  /** The values of an enum, which may include numbers. */
  choices: unknown[] | undefined
  /** Values that the command suggests. */
  examples: string[]
  required: boolean
  /** What a value of kind `record` names. */
  record: RecordKind | undefined
  /** Whether the payload has the id as a number, not as digits. */
  isNumber: boolean
  /** As in the schema. */
  proposed: unknown
}

const valueHints: Record<Kind, string> = {
  text: '<text>',
  number: '<number>',
  flag: '',
  list: '<text...>',
  json: '<json>',
  any: '<value>',
  record: '<name or id>',
}

/** The payload keys with addresses: every command has the same options for them. */
export const addressKeys = ['clients', 'client']

/**
 * `reserved` are option names with another meaning: payload keys of these names can only be set with --json. The path of
 * `route` decides what a key `id` names.
 */
export function fieldsOf(
  { properties = {}, required = [] }: Schema,
  reserved: readonly string[],
  route: string,
): Field[] {
  const keys = Object.keys(properties).filter(key => !addressKeys.includes(key) && !reserved.includes(optionName(key)))
  return keys.map(key => {
    const schema = properties[key] ?? {}
    return fieldOf(key, schema, required.includes(key) && schema.proposed === undefined, route)
  })
}

export const optionName = (key: string) => key.replaceAll('_', '-')

function fieldOf(key: string, schema: Schema, required: boolean, route: string): Field {
  const record = recordOf(key, schema, route)
  const kind = record ? 'record' : kindOf(schema)
  const suffix = required && kind !== 'flag' ? ' (required)' : ''
  const option = new Option(
    `--${optionName(key)} ${valueHints[kind]}`.trim(),
    `${schema.description ?? ''}${suffix}`.trim(),
  )
  if (schema.enum) option.choices(schema.enum.map(String))
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  const examples = (schema.examples ?? []).map(String)
  const { enum: choices, proposed } = schema
  return { key, kind, option, choices, examples, required, record, isNumber, proposed }
}

/** Undefined for a key that is no id: `repository` may be an address. */
function recordOf(key: string, { $ref, type, enum: choices }: Schema, route: string): RecordKind | undefined {
  const isNumber = [type].flat().some(one => one === 'integer' || one === 'number')
  const mayBeId = isNumber || $ref?.endsWith('id') || /(^|_)id$/.test(key)
  return mayBeId && !choices ? kindOfKey(key, route) : undefined
}

function kindOf({ type, enum: choices, items }: Schema): Kind {
  if (choices) return 'text'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return 'text'
  if (type === 'array') return items && 'type' in items && items.type === 'string' ? 'list' : 'json'
  return type === 'object' ? 'json' : 'any'
}

export function addFields(command: Command, fields: Field[]): void {
  for (const { option, kind, key } of fields) {
    command.addOption(option)
    if (kind === 'flag') command.addOption(new Option(`--no-${optionName(key)}`).hideHelp())
  }
}

/** Options override the keys of `json`. */
export function payloadOf(fields: Field[], values: Record<string, unknown>, json = '{}'): Record<string, unknown> {
  const payload: Record<string, unknown> = { ...parseObject(json) }
  for (const { key, kind, option, choices, required, proposed } of fields) {
    const value = values[option.attributeName()]
    if (value !== undefined) payload[key] = readValue(value, kind, choices, option)
    // An absent flag means false.
    else if (kind === 'flag' && required) payload[key] ??= false
    else if (proposed !== undefined) payload[key] ??= proposed
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
    const { key, option, isNumber } = field
    const text = values[option.attributeName()]
    const kind = recordKindIn(field, payload)
    if (kind === undefined || typeof text !== 'string') continue
    const id = await findId(api, kind, `--${option.name()}`, text)
    payload[key] = isNumber ? id : String(id)
    if (key === 'id') await addName(api, fields, kind, id, payload)
  }
}

/** A record whose id and name are both required may be named by its id alone. */
async function addName(
  api: ApiClient,
  fields: Field[],
  kind: RecordKind,
  id: number,
  payload: Record<string, unknown>,
): Promise<void> {
  if ('name' in payload || !fields.some(({ key, required }) => key === 'name' && required)) return
  const record = (await readRecords(api, kind)).find(each => each.id === id)
  if (record) payload.name = record.name
}

/** A schedule has a task or a procedure in its key `task`, and `type` is which of them. */
export const recordKindIn = ({ record }: Field, { type }: Record<string, unknown>): RecordKind | undefined =>
  record === 'task' && type === 'procedure' ? 'procedure' : record

function parseObject(json: string): object {
  const value = parseJson(json, '--json')
  if (value instanceof Object && !Array.isArray(value)) return value
  throw usageError(`--json: expected an object such as {"run": "uname -a"}, got ${json}`)
}

function readValue(value: unknown, kind: Kind, choices: unknown[] | undefined, option: Option): unknown {
  if (choices) return choices.find(choice => String(choice) === value)
  if (typeof value !== 'string') return value
  if (kind === 'json') return parseJson(value, `--${option.name()}`)
  if (kind === 'number') return parseNumber(value, option)
  // The type behind a $ref is unknown here: a value that looks like JSON is parsed, any other is text.
  return kind === 'any' && /^\s*[[{]/.test(value) ? parseJson(value, `--${option.name()}`) : value
}

function parseNumber(text: string, option: Option): number {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  throw usageError(`--${option.name()}: expected a number, got ${text}`)
}

function parseJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(`${option}: expected JSON, got ${text}: ${message(error)}`)
  }
}
