// Adds an image repository.
import type { Command } from 'fleet-host'
import { repositoryFields } from './_schemas/repository-fields.ts'

const payload = {
  type: 'object',
  required: ['name', 'ip'],
  properties: repositoryFields,
} as const

export default {
  summary: 'Add a repository',
  group: 'Disks and images',
  example: { name: 'second', ip: '10.1.1.3' },
  route: 'POST /repository/add',
  payload,
  async answer({ payload, services, request }) {
    const { name, ip, slots = 0 } = payload
    const id = await services.store.repositories.add({ name, ip, slots })
    if (id === undefined) return services.refuse(`name: repository ${name} exists`)
    request.created(id)
  },
} satisfies Command<typeof payload>
