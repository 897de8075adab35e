// Builds the schemas of JSON, mostly of answers, for `returns`: an object has all its keys, except those that are named as optional.

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
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

export const result = <const Properties extends Record<string, object>, Optional extends keyof Properties = never>(
  properties: Properties,
  optional: readonly Optional[] = [],
) => ({
  type: 'object' as const,
  required: Object.keys(properties).filter(
    (key): key is Exclude<keyof Properties & string, Optional> => !optional.some(each => each === key),
  ),
  properties,
})

/** The schema of a payload, query or reply whose keys are all required. */
export const required = <const Properties extends Record<string, object>>(properties: Properties) => result(properties)

/** As `result`, with all keys optional. */
export const partial = <const Properties extends Record<string, object>>(properties: Properties) => ({
  type: 'object' as const,
  required: [],
  properties,
})

/** The schemas of keys with integers, from an example of each. */
export const integers = <Key extends string>(examples: Record<Key, number>, schema = integer) =>
  // `as`: TypeScript takes the keys of entries for any text.
  Object.fromEntries(Object.entries(examples).map(([key, example]) => [key, like(schema, example)])) as Record<
    Key,
    typeof integer
  >
