// Adds a procedure: an ordered list of commands and other procedures.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['center', 'name'],
  properties: {
    center: { $ref: 'id' },
    name: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    steps: { $ref: 'steps' },
  },
} as const

export default {
  summary: 'Add a procedure',
  example: { center: '1', name: 'Tidy up', steps: [{ command: 'shell-run', params: { run: 'sync', echo: false } }] },
  route: 'POST /procedure/add',
  payload,
  async answer({ center, name, description = '', steps: given = [] }, { store, jobs, refuse }) {
    const steps = jobs.checkSteps(given)
    if ('refused' in steps) return steps
    const added = await store.procedures.add({ center: Number(center), name, description, steps })
    if (typeof added === 'string') return refuse(`procedure ${name}: ${added}`)
  },
} satisfies Command<typeof payload>
