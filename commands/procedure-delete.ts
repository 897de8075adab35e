// Deletes a procedure that no procedure, task or schedule refers to.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('procedure') })

export default {
  summary: 'Delete a procedure',
  group: 'Procedures and tasks',
  example: { id: '2' },
  route: 'POST /procedure/delete',
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const outcome = await services.undo.keep(request, store => store.procedures.delete(Number(payload.id)))
    if (outcome === 'deleted') return
    const isUsed = outcome === 'in use'
    const users = isUsed ? await services.schedules.usersOf('procedure', Number(payload.id), request) : ''
    return services.refuse(`id: procedure ${payload.id} is ${outcome}${users && ` by ${users}`}`)
  },
} satisfies Command<typeof payload>
