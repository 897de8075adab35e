// Deletes a task that no task or schedule refers to.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('task') })

export default {
  summary: 'Delete a task',
  group: 'Procedures and tasks',
  route: 'POST /task/delete',
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const outcome = await services.undo.keep(request, store => store.tasks.delete(Number(payload.id)))
    if (outcome === 'deleted') return
    const isUsed = outcome === 'in use'
    const users = isUsed ? await services.schedules.usersOf('task', Number(payload.id), request) : ''
    return services.refuse(`id: task ${payload.id} is ${outcome}${users && ` by ${users}`}`)
  },
} satisfies Command<typeof payload>
