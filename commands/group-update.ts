// Changes a group of computers: absent keys keep their values.
import type { Command } from 'fleet-host'
import { groupFields } from './_schemas/groups.ts'
import { anyId, object, optional } from './_schemas/objects.ts'

const payload = {
  ...object({ group: anyId, ...optional(groupFields) }),
  not: { required: ['where', 'clients'] },
} as const

export default {
  summary: 'Change a group of computers',
  group: 'Centers, rooms and computers',
  example: { group: 1, where: 'room:"Lab 2" tag:exam' },
  route: 'POST /group/update',
  payload,
  answer({ payload: { group, ...change }, services, request }) {
    return services.groups.update(Number(group), change, request)
  },
} satisfies Command<typeof payload>
