// Builds the schemas of JSON answers, for `returns`: an object has all its keys, except those that are named as optional.

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
export const flag = { type: 'boolean' } as const
export const address = { type: 'string', description: 'IPv4 address' } as const
export const time = { type: 'string', description: 'ISO time' } as const

/** A schema with the words that explain its key. */
export const described = (schema: object, description: string) => ({ ...schema, description })

export const list = (items: object, description?: string) =>
  description === undefined ? { type: 'array', items } : { type: 'array', items, description }

export const result = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter(key => !optional.includes(key)),
  properties,
})
