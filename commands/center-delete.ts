// Deletes a center with its rooms, computers, procedures and tasks.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ id: { $ref: 'id', description: 'id of the center, in digits' } })

export default {
  summary: 'Delete a center and everything in it',
  group: 'Centers, rooms and computers',
  example: { id: '1' },
  route: 'POST /center/delete',
  destructive: true,
  needsConsent: true,
  payload,
  async answer({ payload, services }) {
    const computers = await services.store.centers.delete(Number(payload.id))
    if (!computers) return services.refuse(`id: there is no center ${payload.id}`)
    await services.computers.cleanUp(computers)
  },
} satisfies Command<typeof payload>
