// Adds a task: an ordered list of procedures and other tasks, and the computers that it is for.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { conflictTexts } from './_schemas/task-conflicts.ts'
import { taskFields } from './_schemas/tasks.ts'

const payload = object(taskFields)

export default {
  summary: 'Add a task',
  group: 'Procedures and tasks',
  example: { center: '1', name: 'Evening', steps: [{ procedure: 1 }], options: { wake: true, until: '06:30' } },
  route: 'POST /task/add',
  payload,
  async answer({ payload, services, request }) {
    const { name, description = '', steps = [], scope, clients, where, group, options } = payload
    const wrong = await services.search.check(payload)
    if (wrong) return wrong
    const center = Number(payload.center)
    const task = { center, name, description, steps, scope, clients, where, group, options }
    const added = await services.store.tasks.add(task)
    if (typeof added === 'string') return services.refuse(conflictTexts('task', payload)[added])
    request.created(added)
  },
} satisfies Command<typeof payload>
