// The settings of a pack as the fields of a form: those of objects in them by the keys that lead there, with dots.
import { type FieldValues, typedValue } from '../../actions/field-values.ts'
import type { Field, FormSchema } from '../../api/api-document.ts'

type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `secrets`: whether each is set. */
export function settingFields(schema: FormSchema, secrets: Readonly<Record<string, boolean>>): Field[] {
  return fieldsBelow(schema, '', true, secrets)
}

function fieldsBelow(
  { properties = {}, required = [] }: FormSchema,
  prefix: string,
  isNeeded: boolean,
  secrets: Readonly<Record<string, boolean>>,
): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = prefix + name
    const isRequired = isNeeded && required.includes(name)
    if (schema.properties) return fieldsBelow(schema, `${key}.`, isRequired, secrets)
    const isSet = schema.writeOnly === true ? (secrets[key] ?? false) : undefined
    // One that is set may be left out: it stays.
    return { key, schema, isRequired: isRequired && !isSet, example: undefined, ...(isSet !== undefined && { isSet }) }
  })
}

/** What the form shows of the stored settings. */
export const settingValues = (fields: readonly Field[], settings: Values): FieldValues =>
  Object.fromEntries(fields.map(field => [field.key, typedValue(field, valueAt(settings, field.key))]))

const valueAt = (settings: Values, key: string): unknown =>
  key.split('.').reduce((at: unknown, name) => (isObject(at) ? at[name] : undefined), settings)

/** The settings of what the fields have. */
export function nested(flat: Values): object {
  const settings: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(flat)) {
    const [last = '', ...before] = key.split('.').reverse()
    let at = settings
    for (const name of before.reverse()) {
      const inner = at[name] ?? {}
      at[name] = inner
      // `as`: only this function fills it.
      at = inner as Record<string, unknown>
    }
    at[last] = value
  }
  return settings
}
