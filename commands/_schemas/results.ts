// Builds the schemas of JSON answers, for `returns`: an object has all its keys, except those that are named as optional.

export const text = { type: 'string' } as const
export const integer = { type: 'integer' } as const
export const flag = { type: 'boolean' } as const
export const address = { type: 'string', description: 'IPv4 address', examples: ['10.1.1.20'] } as const
export const time = { type: 'string', description: 'ISO time', examples: ['2026-09-14T08:00:00.000Z'] } as const

/** A schema with the words that explain its key, and a value for the example of the answer. */
export const described = (schema: object, description: string, ...examples: unknown[]) =>
  examples.length === 0 ? { ...schema, description } : { ...schema, description, examples }

/** A schema with a value for the example of the answer. */
export const like = (schema: object, ...examples: unknown[]) => ({ ...schema, examples })

export const list = (items: object, description?: string) =>
  description === undefined ? { type: 'array', items } : { type: 'array', items, description }

export const result = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter(key => !optional.includes(key)),
  properties,
})

const runningJob = result({ id: integer, running: described(integer, 'parts that have not ended') })

/** The answer of both commands for draining. */
export const drainState = result({
  draining: described(flag, 'commands for clients are refused, and queued parts wait for the restart'),
  running: described(integer, 'parts that have not ended; with 0 a restart interrupts nothing'),
  queued: described(integer, 'parts that wait, also over a restart'),
  running_jobs: list(runningJob, 'the first 100 jobs with running parts'),
})
