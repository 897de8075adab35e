// Adds a center.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, description: 'unique' },
    comment: { type: 'string', description: 'for people' },
  },
} as const

export default {
  summary: 'Add a center',
  group: 'Centers, rooms and computers',
  example: { name: 'Science faculty', comment: '' },
  route: 'POST /center/add',
  payload,
  async answer({ payload, services, request }) {
    const { name, comment = '' } = payload
    const id = await services.store.centers.add({ name, comment })
    if (id === undefined) return services.refuse(`name: center ${name} exists`)
    request.created(id)
  },
} satisfies Command<typeof payload>
