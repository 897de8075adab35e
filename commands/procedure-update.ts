// Changes a procedure; description and steps that are not given stay as they are.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['procedure', 'center', 'name'],
  properties: {
    procedure: { $ref: 'id' },
    center: { $ref: 'id' },
    name: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    steps: { $ref: 'steps' },
  },
} as const

export default {
  summary: 'Change a procedure',
  example: { procedure: '1', center: '1', name: 'Tidy up at night' },
  route: 'POST /procedure/update',
  payload,
  async answer({ procedure, center, name, ...sent }, { store, jobs, refuse }) {
    const id = Number(procedure)
    const before = await store.procedures.find(id)
    if (!before) return refuse(`procedure: there is no procedure ${procedure}`)
    const steps = jobs.checkSteps(sent.steps ?? before.steps)
    if ('refused' in steps) return steps
    const description = sent.description ?? before.description
    const outcome = await store.procedures.update({ id, center: Number(center), name, description, steps })
    if (outcome !== 'updated') return refuse(`procedure ${procedure}: ${outcome}`)
  },
} satisfies Command<typeof payload>
