// The contract of host/contract/pack.ts as a JSON Schema.

const text = { type: 'string', minLength: 1 }

export const settingsSchema = {
  type: 'object',
  required: ['type', 'properties'],
  properties: { type: { enum: ['object'] }, properties: { type: 'object' } },
}

export const collectionsSchema = {
  type: 'object',
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]*$', expected: 'a name of letters, digits, - and _' },
  additionalProperties: { type: 'object' },
}

export const packSchema = {
  type: 'object',
  required: ['contract', 'summary', 'version'],
  additionalProperties: false,
  properties: {
    contract: { enum: [3] },
    summary: text,
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$', expected: 'a version as 1.2.0' },
    settings: settingsSchema,
    collections: collectionsSchema,
    check: { callable: true, description: 'a function' },
  },
}
