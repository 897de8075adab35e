// Changes a repository, and the boot files of the computers that use it.
import type { Command } from 'fleet-host'
import { anyId, object, optional } from './_schemas/objects.ts'
import { repositoryFields } from './_schemas/room-fields.ts'

const payload = object({
  repository: anyId,
  ...optional(repositoryFields),
})

export default {
  summary: 'Change a repository',
  group: 'Disks and images',
  example: { repository: 1, slots: 10 },
  route: 'POST /repository/update',
  payload,
  answer({ payload: { repository, ...change }, services, request }) {
    const id = Number(repository)
    // The address of this server, which is an option.
    if (id === 1 && change.ip !== undefined)
      return services.refuse('ip: repository 1 has the address of option boot.server')
    return services.computers.updateRepository(id, change, request)
  },
} satisfies Command<typeof payload>
