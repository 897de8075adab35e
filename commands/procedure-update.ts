// Changes a procedure; without description or steps the old ones stay.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'
import { conflictTexts } from './_schemas/task-conflicts.ts'
import { procedureFields } from './_schemas/tasks.ts'

const payload = object({ procedure: idOf('procedure'), ...procedureFields })

export default {
  summary: 'Change a procedure',
  group: 'Procedures and tasks',
  example: { procedure: '1', center: '1', name: 'Tidy up at night' },
  route: 'POST /procedure/update',
  payload,
  async answer({ payload, services, request }) {
    const id = Number(payload.procedure)
    const before = await services.store.procedures.find(id)
    if (!before) return services.refuse(`procedure: there is no procedure ${payload.procedure}`)
    const steps = services.jobs.checkSteps(payload.steps ?? before.steps)
    if (services.isRefusal(steps)) return steps
    const { center, name, description = before.description } = payload
    const row = { ...before, center: Number(center), name, description, steps }
    const outcome = await services.undo.keep(request, store => store.procedures.update(row))
    if (outcome !== 'updated') return services.refuse(conflictTexts('procedure', payload)[outcome])
  },
} satisfies Command<typeof payload>
