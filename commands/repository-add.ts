// Adds an image repository.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { repositoryFields } from './_schemas/room-fields.ts'

const payload = object(repositoryFields)

export default {
  summary: 'Add a repository',
  group: 'Disks and images',
  example: { name: 'second', ip: '10.1.1.3' },
  route: 'POST /repository/add',
  payload,
  async answer({ payload, services, request }) {
    const id = await services.store.repositories.add({ slots: 0, ...payload })
    if (id === undefined) return services.refuse(`name: repository ${payload.name} exists`)
    request.created(id)
  },
} satisfies Command<typeof payload>
