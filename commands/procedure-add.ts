// Adds a procedure: an ordered list of commands and other procedures.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { conflictTexts } from './_schemas/task-conflicts.ts'
import { procedureFields } from './_schemas/tasks.ts'

const payload = object(procedureFields)

export default {
  summary: 'Add a procedure',
  group: 'Procedures and tasks',
  example: { center: '1', name: 'Tidy up', steps: [{ command: 'shell-run', params: { run: 'sync', echo: false } }] },
  route: 'POST /procedure/add',
  payload,
  async answer({ payload, services, request }) {
    const { center, name, description = '' } = payload
    const steps = services.jobs.checkSteps(payload.steps ?? [])
    if (services.isRefusal(steps)) return steps
    const added = await services.store.procedures.add({ center: Number(center), name, description, steps })
    if (typeof added === 'string') return services.refuse(conflictTexts('procedure', payload)[added])
    request.created(added)
  },
} satisfies Command<typeof payload>
