// The schema of a task's fields, as callers write them.
const scope = {
  type: 'object',
  required: ['type', 'id'],
  additionalProperties: false,
  properties: { type: { enum: ['center', 'room', 'computer'] }, id: { type: 'integer', minimum: 1 } },
} as const

export const taskFields = {
  center: { $ref: 'id' },
  name: { type: 'string', minLength: 1 },
  description: { type: 'string' },
  steps: { $ref: 'taskSteps' },
  scope,
  clients: { $ref: 'clients' },
} as const
