// What was typed in a form, by key, and the payload that it makes. Values are texts until they are sent.
import { type Field, type FormSchema, rowSchema } from '../api/api-document.ts'
import { t, tryTranslate } from '../language/translate.ts'
import { centers } from '../state/lab.ts'

export type Row = Readonly<Record<string, string>>
export type FieldValue = string | boolean | readonly Row[]
export type FieldValues = Readonly<Record<string, FieldValue>>

export type FieldKind =
  | 'script'
  | 'text'
  | 'number'
  | 'choice'
  | 'check'
  | 'choices'
  | 'lines'
  | 'rows'
  | 'json'
  | 'secret'

export interface FieldProps {
  field: Field
  value: FieldValue
  onChange(value: FieldValue): void
}

/** Of the fields that a command has in place of those of its schema. */
export interface OwnFieldsProps {
  values: FieldValues
  change(key: string, value: FieldValue): void
  /** The computers that the form was opened for. */
  clients: readonly string[]
  /** It is sent to these of them only; undefined: to all. */
  limitTo(clients: readonly string[] | undefined): void
}

const typesOf = ({ type }: FormSchema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []))

const isScalar = (schema: FormSchema) =>
  !typesOf(schema).some(type => type === 'object' || type === 'array') && typesOf(schema).length > 0

/** Descriptions say what 1 and 0 mean. */
const isFlag = ({ description = '' }: FormSchema) => /^1: .*\b0: /.test(description)

const isChoice = (schema: FormSchema) => schema.enum !== undefined || schema.idOf === 'room' || isFlag(schema)

/** In a cell of a table. */
export const isCellChoice = (schema: FormSchema): boolean => isChoice(schema) || schema.type === 'boolean'

export function kindOf({ schema, isRequired }: Field): FieldKind {
  const types = typesOf(schema)
  if (isChoice(schema)) return 'choice'
  if (schema.writeOnly && types.includes('string')) return 'secret'
  if (types.includes('string')) return schema.contentMediaType === undefined ? 'text' : 'script'
  if (types.includes('integer') || types.includes('number')) return 'number'
  // An optional one has a third value: that it is left out.
  if (types.includes('boolean')) return isRequired ? 'check' : 'choice'
  const row = types.includes('array') ? rowSchema(schema) : undefined
  if (!row) return 'json'
  const columns = Object.values(row.properties ?? {})
  if (columns.length > 0) return columns.every(isScalar) ? 'rows' : 'json'
  if (row.enum || row.idOf) return 'choices'
  return isScalar(row) ? 'lines' : 'json'
}

export interface FieldWords {
  label: string
  hint: string
}

/** The console's own words for the fields of commands that it knows, else those of the schema. */
export const wordsFor = (command: string, key: string, { title, idOf, description = '' }: FormSchema): FieldWords => ({
  label: tryTranslate(`field.${command}.${key}`) ?? title ?? key,
  // Of what is chosen by its name, an id says nothing.
  hint: tryTranslate(`hint.${command}.${key}`) ?? (idOf ? '' : description.replace(/^KiB( of )?/, '')),
})

export interface Option {
  value: string
  label: string
}

export const wordsOf = (value: unknown): Option => ({ value: String(value), label: String(value) })

/** What a choice offers; rooms by their names. */
export function optionsOf(schema: FormSchema): readonly Option[] {
  if (schema.idOf !== 'room') {
    const [yes, no] = isFlag(schema) ? (['1', '0'] as const) : (['true', 'false'] as const)
    const both = [
      { value: yes, label: t('command.yes') },
      { value: no, label: t('command.no') },
    ]
    return schema.enum?.map(wordsOf) ?? both
  }
  const isOne = centers.value.length === 1
  return centers.value.flatMap(({ name: center, rooms }) =>
    rooms.map(({ id, name }) => ({ value: String(id), label: isOne ? name : `${center}, ${name}` })),
  )
}

export function firstValue(field: Field): FieldValue {
  const { schema, isRequired, example } = field
  if (schema.default !== undefined && schema.default !== null) return typedValue(field, schema.default)
  switch (kindOf(field)) {
    case 'check':
      return example === true
    case 'rows':
      return Array.from({ length: Math.max(schema.minItems ?? 0, isRequired ? 1 : 0) }, () => ({}))
    // One of several that the schema names is a fair start; other examples are only shown.
    case 'text':
      return isRequired && (schema.examples?.length ?? 0) > 1 ? String(example ?? '') : ''
    default:
      return ''
  }
}

/** A stored value as the form of a record begins with it. */
export function typedValue(field: Field, value: unknown): FieldValue {
  if (value === undefined || value === null) return firstValue(field)
  switch (kindOf(field)) {
    case 'check':
      return value === true
    case 'rows':
      return Array.isArray(value) ? value.map(rowOf) : []
    case 'choices':
    case 'lines':
      return Array.isArray(value) ? value.join('\n') : ''
    case 'json':
      return JSON.stringify(value, null, 1)
    default:
      return String(value)
  }
}

const rowOf = (value: object): Row =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]))

export interface Problem {
  /** Of the field; '' when it is none of them. */
  key: string
  text: string
}

/** The payload without `clients`, or what is wrong with what was typed. What is empty and optional is left out. */
export function toPayload(fields: readonly Field[], values: FieldValues): { payload: object } | { problem: Problem } {
  const payload: Record<string, unknown> = {}
  for (const field of fields) {
    const value = values[field.key] ?? ''
    try {
      const converted = convert(field, value) ?? field.schema.proposed
      if (converted !== undefined) payload[field.key] = converted
    } catch {
      return { problem: { key: field.key, text: t('command.notJson', { key: field.key }) } }
    }
  }
  return { payload }
}

function convert(field: Field, value: FieldValue): unknown {
  const { schema, isRequired } = field
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') {
    const rows = value.map(row => toRow(rowSchema(schema), row))
    return rows.length === 0 && !isRequired ? undefined : rows
  }
  if (value === '' && !isRequired) return undefined
  switch (kindOf(field)) {
    case 'choice':
      return schema.enum ? schema.enum.find(option => String(option) === value) : scalar(schema, value)
    case 'number':
      return Number(value)
    case 'choices':
    case 'lines':
      return value
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(line => scalar(rowSchema(schema) ?? {}, line.trim()))
    case 'json':
      return JSON.parse(value)
    default:
      return value
  }
}

function toRow({ properties = {} }: FormSchema = {}, row: Row): object {
  const entries = Object.entries(properties).map(([key, schema]) => [key, scalar(schema, row[key] ?? '')])
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

function scalar(schema: FormSchema, text: string): unknown {
  const types = typesOf(schema)
  if (types.includes('string') || text === '') return text
  if (types.includes('boolean')) return text === 'true'
  return Number(text)
}
