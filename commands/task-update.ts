// Changes a task; without description, steps, targets or options the old ones stay.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'
import { conflictTexts } from './_schemas/task-conflicts.ts'
import { taskFields } from './_schemas/tasks.ts'

const payload = object({ task: idOf('task'), ...taskFields })

export default {
  summary: 'Change a task',
  group: 'Procedures and tasks',
  example: { task: '1', center: '1', name: 'Late evening', clients: ['10.1.1.20'] },
  route: 'POST /task/update',
  payload,
  async answer({ payload, services, request }) {
    const id = Number(payload.task)
    const before = await services.store.tasks.find(id)
    if (!before) return services.refuse(`task: there is no task ${payload.task}`)
    const { name, description = before.description, steps = before.steps, options = before.options } = payload
    const wrong = await services.search.check(payload)
    if (wrong) return wrong
    // Targets are replaced together: a task with a new scope no longer has its old clients.
    const isOther = ['scope', 'clients', 'where', 'group'].some(key => key in payload)
    const { scope, clients, where, group } = isOther ? payload : before
    const center = Number(payload.center)
    const task = { ...before, center, name, description, steps, scope, clients, where, group, options }
    const outcome = await services.undo.keep(request, store => store.tasks.update(task))
    if (outcome !== 'updated') return services.refuse(conflictTexts('task', payload)[outcome])
  },
} satisfies Command<typeof payload>
