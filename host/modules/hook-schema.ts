// The contract of host/contract/hook.ts as JSON Schemas, one for each key that says when a hook runs.
import { streamedTypes } from '../contract/fleet-events.ts'
import { collectionsSchema, settingsSchema } from './pack-schema.ts'

const text = { type: 'string', minLength: 1 }
const callable = { callable: true, description: 'a function' }

const common = {
  contract: { enum: [3] },
  summary: text,
  settings: settingsSchema,
  collections: collectionsSchema,
  each: { enum: ['host'] },
}

const hookSchema = (key: string, properties: Record<string, object>, called: string) => ({
  type: 'object',
  required: ['summary', key, called],
  additionalProperties: false,
  properties: { ...common, ...properties, [called]: callable },
})

const on = { type: 'array', minItems: 1, uniqueItems: true, items: { enum: streamedTypes } }
const names = { type: 'array', minItems: 1, uniqueItems: true, items: text }

export const hookSchemas = {
  on: hookSchema('on', { on }, 'run'),
  every: hookSchema('every', { every: text }, 'run'),
  cron: hookSchema('cron', { cron: text }, 'run'),
  before: hookSchema('before', { before: names, onError: { enum: ['allow'] } }, 'check'),
}
