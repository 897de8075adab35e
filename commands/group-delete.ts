// Deletes a group of computers that nothing names.
import type { Command } from 'fleet-host'
import { anyId, object } from './_schemas/objects.ts'

const payload = object({ group: anyId })

export default {
  summary: 'Delete a group of computers',
  group: 'Centers, rooms and computers',
  example: { group: 1 },
  route: 'POST /group/delete',
  confirm: 'ask',
  payload,
  answer({ payload, services, request }) {
    return services.groups.delete(Number(payload.group), request)
  },
} satisfies Command<typeof payload>
