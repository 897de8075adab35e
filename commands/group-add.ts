// Adds a group of computers: a query or a list that has a name.
import type { Command } from 'fleet-host'
import { groupFields } from './_schemas/groups.ts'
import { object } from './_schemas/objects.ts'

const payload = {
  ...object(groupFields),
  oneOf: [{ required: ['where'] }, { required: ['clients'] }],
} as const

export default {
  summary: 'Add a group of computers',
  group: 'Centers, rooms and computers',
  example: { name: 'Exam seats', where: 'room:"Lab 1" tag:exam' },
  route: 'POST /group/add',
  payload,
  async answer({ payload, services, request }) {
    const id = await services.groups.add(payload)
    if (services.isRefusal(id)) return id
    request.created(id)
  },
} satisfies Command<typeof payload>
