// Makes the schemas of options: kinds of values, with their defaults and types.

declare const valueType: unique symbol

/** A JSON Schema whose values have this type, which includes `undefined` for an option that may be absent. */
export interface Schema<Value> {
  readonly [valueType]?: () => Value
}

export type ValueOf<Of> = Of extends Schema<infer Value> ? Value : never

type Values<Of> = {
  [Key in keyof Of as undefined extends ValueOf<Of[Key]> ? never : Key]: ValueOf<Of[Key]>
} & { [Key in keyof Of as undefined extends ValueOf<Of[Key]> ? Key : never]?: ValueOf<Of[Key]> }

export const typed = <Value>(schema: object): Schema<Value> => schema

/** Returns a function that makes an option of this schema with a default, or without one. */
export const option =
  <Value>(schema: object) =>
  <Default extends Value | undefined = undefined>(fallback?: Default) =>
    typed<Default extends undefined ? Value | undefined : Value>({ ...schema, default: fallback })

export const section = <Of extends object>(properties: Of): Schema<Values<Of>> =>
  Object.assign({ type: 'object', additionalProperties: false, default: {}, properties })

/** An object that is there as a whole or not at all. */
export const record = <Of extends object>(properties: Of) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
})
export type RecordOf<Of> = { [Key in keyof Of]: NonNullable<ValueOf<Of[Key]>> }

export const text = option<string>({ type: 'string', minLength: 1 })
/** Relative to the options file. */
export const path = option<string>({ type: 'string', minLength: 1, isPath: true })
export const flag = option<boolean>({ type: 'boolean' })
export const count = option<number>({ type: 'integer', minimum: 1 })
// Maximum: the longest time of one Node timer.
export const seconds = option<number>({ type: 'number', exclusiveMinimum: 0, maximum: 2_147_483 })
// Existing sites write ports as strings.
export const port = option<number>({
  type: ['integer', 'string'],
  minimum: 0,
  maximum: 65_535,
  format: 'port',
  expected: '0 to 65535',
  isNumber: true,
})
export const list = (items: object) => option<string[]>({ type: 'array', items })
export const network = { type: 'string', format: 'network', expected: 'an address or a network like 10.1.0.0/16' }
