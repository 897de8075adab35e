// Options out of a payload's schema, and the payload out of what was given for them.
import { type Command, Option } from 'commander'
import { message } from '../../system/log.ts'
import { usageError } from '../terminal/failure.ts'
import type { Schema } from './command-catalogue.ts'

type Kind = 'text' | 'number' | 'flag' | 'list' | 'json' | 'any'

/** A key of the payload and its option. */
export interface Field {
  key: string
  kind: Kind
  option: Option
  /** Values that it may have; a number may be among them. */
  choices: unknown[] | undefined
  required: boolean
}

const hints: Record<Kind, string> = {
  text: '<text>',
  number: '<number>',
  flag: '',
  list: '<text...>',
  json: '<json>',
  any: '<value>',
}

/** The keys that are about computers; the options for these are the same for every command. */
export const addressKeys = ['clients', 'client']

/** `taken` are the names of options that mean something else: what has such a key is given as JSON. */
export function fieldsOf({ properties = {}, required = [] }: Schema, taken: readonly string[]): Field[] {
  const keys = Object.keys(properties).filter(key => !addressKeys.includes(key) && !taken.includes(nameOf(key)))
  return keys.map(key => fieldOf(key, properties[key] ?? {}, required.includes(key)))
}

const nameOf = (key: string) => key.replaceAll('_', '-')

function fieldOf(key: string, schema: Schema, required: boolean): Field {
  const kind = kindOf(schema)
  const option = new Option(
    `--${nameOf(key)} ${hints[kind]}`.trim(),
    `${schema.description ?? ''}${need(kind, required)}`.trim(),
  )
  if (schema.enum) option.choices(schema.enum.map(String))
  return { key, kind, option, choices: schema.enum, required }
}

const need = (kind: Kind, required: boolean) => (required && kind !== 'flag' ? ' (required)' : '')

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
    if (kind === 'flag') command.addOption(new Option(`--no-${nameOf(key)}`).hideHelp())
  }
}

/** `json` is the payload's beginning; options win over it. */
export function payloadOf(fields: Field[], values: Record<string, unknown>, json = '{}'): Record<string, unknown> {
  const payload: Record<string, unknown> = { ...objectOf(json) }
  for (const { key, kind, option, choices, required } of fields) {
    const given = values[option.attributeName()]
    if (given !== undefined) payload[key] = readValue(given, kind, choices, option)
    // A flag that nobody raised is a no.
    else if (kind === 'flag' && required) payload[key] ??= false
  }
  return payload
}

function objectOf(json: string): object {
  const value = parse(json, '--json')
  if (value instanceof Object && !Array.isArray(value)) return value
  throw usageError(`--json: expected '{"run": "uname -a"}', got ${json}`)
}

function readValue(given: unknown, kind: Kind, choices: unknown[] | undefined, option: Option): unknown {
  if (choices) return choices.find(choice => String(choice) === given)
  if (typeof given !== 'string') return given
  if (kind === 'json') return parse(given, `--${option.name()}`)
  if (kind === 'number') return numberOf(given, option)
  // A named schema may stand for a text or for more; what looks like JSON is meant as such.
  return kind === 'any' && /^\s*[[{]/.test(given) ? parse(given, `--${option.name()}`) : given
}

function numberOf(given: string, option: Option): number {
  if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given)
  throw usageError(`--${option.name()}: is no number, got ${given}`)
}

function parse(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(`${option}: is no JSON, got ${text}: ${message(error)}`)
  }
}
