// Changes a task; what is not given stays as it is.
import type { Command } from 'fleet-host'

const scope = {
  type: 'object',
  required: ['type', 'id'],
  additionalProperties: false,
  properties: { type: { enum: ['center', 'room', 'computer'] }, id: { type: 'integer', minimum: 1 } },
} as const

const payload = {
  type: 'object',
  required: ['task', 'center', 'name'],
  properties: {
    task: { $ref: 'id' },
    center: { $ref: 'id' },
    name: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    steps: { $ref: 'taskSteps' },
    scope,
    clients: { $ref: 'clients' },
  },
} as const

export default {
  summary: 'Change a task',
  example: { task: '1', center: '1', name: 'Late evening', clients: ['10.1.1.20'] },
  route: 'POST /task/update',
  payload,
  async answer({ task, center, name, scope, clients, ...sent }, { store, refuse }) {
    const id = Number(task)
    const before = await store.tasks.find(id)
    if (!before) return refuse(`task: there is no task ${task}`)
    const { description, steps, scope: oldScope, clients: oldClients } = before
    // A new answer to whom it is for replaces the old one, whichever form that had.
    const whom = scope || clients ? { scope, clients } : { scope: oldScope, clients: oldClients }
    const change = { id, center: Number(center), name, description, steps, ...whom, ...sent }
    const outcome = await store.tasks.update(change)
    if (outcome !== 'updated') return refuse(`task ${task}: ${outcome}`)
  },
} satisfies Command<typeof payload>
