// Changes a repository, and the boot files of the computers that use it.
import type { Command } from 'fleet-host'
import { repositoryFields } from './_schemas/repository-fields.ts'

const payload = {
  type: 'object',
  required: ['repository'],
  properties: {
    repository: { type: ['integer', 'string'], pattern: '^[0-9]+$', description: 'its id' },
    ...repositoryFields,
  },
} as const

export default {
  summary: 'Change a repository',
  group: 'Disks and images',
  example: { repository: 1, slots: 10 },
  route: 'POST /repository/update',
  payload,
  answer({ payload: { repository, name, ip, slots }, services }) {
    const id = Number(repository)
    // The address of this server, which is an option.
    if (id === 1 && ip !== undefined) return services.refuse('ip: repository 1 has the address of option boot.server')
    return services.computers.updateRepository(id, {
      ...(name !== undefined && { name }),
      ...(ip !== undefined && { ip }),
      ...(slots !== undefined && { slots }),
    })
  },
} satisfies Command<typeof payload>
