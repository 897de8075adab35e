// Adds a task: an ordered list of procedures and other tasks, and whom it is for.
import type { Command } from 'fleet-host'

const scope = {
  type: 'object',
  required: ['type', 'id'],
  additionalProperties: false,
  properties: { type: { enum: ['center', 'room', 'computer'] }, id: { type: 'integer', minimum: 1 } },
} as const

const payload = {
  type: 'object',
  required: ['center', 'name'],
  properties: {
    center: { $ref: 'id' },
    name: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    steps: { $ref: 'taskSteps' },
    scope,
    clients: { $ref: 'clients' },
  },
} as const

export default {
  summary: 'Add a task',
  example: { center: '1', name: 'Evening', steps: [{ procedure: 1 }] },
  route: 'POST /task/add',
  payload,
  async answer({ center, name, description = '', steps = [], scope, clients }, { store, refuse }) {
    const whom = { ...(scope && { scope }), ...(clients && { clients }) }
    const added = await store.tasks.add({ center: Number(center), name, description, steps, ...whom })
    if (typeof added === 'string') return refuse(`task ${name}: ${added}`)
  },
} satisfies Command<typeof payload>
