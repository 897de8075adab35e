// Builds the schemas of payloads, replies and answers.

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
export const number = { type: 'number' } as const
export const flag = { type: 'boolean' } as const
export const address = { type: 'string', description: 'IPv4 address', examples: ['10.1.1.20'] } as const
export const time = { type: 'string', description: 'ISO time', examples: ['2026-09-14T08:00:00.000Z'] } as const

/** A schema with the words that explain its key, and a value for the example of the answer. */
export const described = <const Schema extends object>(
  schema: Schema,
  description: string,
  ...examples: unknown[]
): Schema => (examples.length === 0 ? { ...schema, description } : { ...schema, description, examples })

/** A schema with a value for the example of the answer. */
export const like = <const Schema extends object>(schema: Schema, ...examples: unknown[]): Schema => ({
  ...schema,
  examples,
})

export const list = <const Items extends object>(items: Items, description?: string) => ({
  type: 'array' as const,
  items,
  ...(description !== undefined && { description }),
})

type KeyName<Key> = Key extends `${infer Name}?` ? Name : Key

/** A key that ends with `?` may be absent. */
export const object = <const Properties extends Record<string, object>>(properties: Properties) => {
  const keys = Object.keys(properties)
  return {
    type: 'object' as const,
    // `as`, also below: TypeScript takes the keys of an object for any text.
    required: keys.filter(key => !key.endsWith('?')) as Exclude<keyof Properties, `${string}?`>[],
    // `as`: the same.
    properties: Object.fromEntries(keys.map(key => [key.replace('?', ''), properties[key]])) as {
      [Key in keyof Properties as KeyName<Key>]: Properties[Key]
    },
  }
}

/** Without other keys. */
export const strictObject = <const Properties extends Record<string, object>>(properties: Properties) => ({
  ...object(properties),
  additionalProperties: false,
})

/** The keys of an object, all of which may be absent. */
export const optional = <const Properties extends Record<string, object>>(properties: Properties) =>
  // `as`: the same.
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [`${key.replace('?', '')}?`, schema])) as {
    [Key in keyof Properties as `${KeyName<Key> & string}?`]: Properties[Key]
  }

/** The schemas of keys with integers, from an example of each. */
export const integers = <Key extends string>(examples: Record<Key, number>, schema = integer) =>
  // `as`: the same.
  Object.fromEntries(Object.entries(examples).map(([key, example]) => [key, like(schema, example)])) as Record<
    Key,
    typeof integer
  >

/** The id of a record, in digits as the specification has it. */
export const idOf = (kind: string) => ({ $ref: 'id', description: `id of the ${kind}, in digits` }) as const

/** An id as a number, or in digits. */
export const anyId = { type: ['integer', 'string'], pattern: '^[0-9]+$', description: 'its id', examples: [1] } as const

/** The payload of commands that concern clients and have no more to say. */
export const clientsOnly = object({ clients: { $ref: 'clients' } })
