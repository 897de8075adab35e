// Deletes a center with its rooms, computers, procedures and tasks.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('center') })

export default {
  summary: 'Delete a center and everything in it',
  group: 'Centers, rooms and computers',
  route: 'POST /center/delete',
  confirm: 'consent',
  payload,
  async answer({ payload, services, request }) {
    const effects = await services.undo.effects({ kind: 'center', id: payload.id }, request)
    const computers = await services.undo.keep(request, store => store.centers.delete(Number(payload.id)))
    if (!computers) return services.refuse(`id: there is no center ${payload.id}`)
    await services.computers.cleanUp(computers)
    if (effects.length > 0) request.warn(effects.join('; '))
  },
} satisfies Command<typeof payload>
