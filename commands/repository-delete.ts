// Deletes an image repository that no computer or image refers to.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ id: { $ref: 'id', description: 'id of the repository, in digits' } })

export default {
  summary: 'Delete a repository',
  group: 'Disks and images',
  example: { id: '2' },
  route: 'POST /repository/delete',
  destructive: true,
  payload,
  async answer({ payload, services }) {
    const outcome = await services.store.repositories.delete(Number(payload.id))
    if (outcome !== 'deleted') return services.refuse(`id: repository ${payload.id} is ${outcome}`)
  },
} satisfies Command<typeof payload>
