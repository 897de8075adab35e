// The schema of a task's fields, as callers write them.
const scope = {
  type: 'object',
  required: ['type', 'id'],
  additionalProperties: false,
  description: 'whose computers it is for; without scope and clients: those of its center',
  properties: { type: { enum: ['center', 'room', 'computer'] }, id: { type: 'integer', minimum: 1 } },
} as const

export const taskFields = {
  center: { $ref: 'id', description: 'id of its center' },
  name: { type: 'string', minLength: 1, description: 'unique in its center' },
  description: { type: 'string', description: 'for people' },
  steps: { $ref: 'taskSteps' },
  scope,
  clients: { $ref: 'clients', description: 'the computers that it is for, by address' },
} as const
