// Deletes an image repository that no computer or image refers to.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('repository') })

export default {
  summary: 'Delete a repository',
  group: 'Disks and images',
  example: { id: '2' },
  route: 'POST /repository/delete',
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const outcome = await services.undo.keep(request, store => store.repositories.delete(Number(payload.id)))
    if (outcome !== 'deleted') return services.refuse(`id: repository ${payload.id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
