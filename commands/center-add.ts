// Adds a center.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { centerFields } from './_schemas/room-fields.ts'

const payload = object(centerFields)

export default {
  summary: 'Add a center',
  group: 'Centers, rooms and computers',
  example: { name: 'Science faculty', comment: '' },
  route: 'POST /center/add',
  payload,
  async answer({ payload, services, request }) {
    const id = await services.store.centers.add({ comment: '', ...payload })
    if (id === undefined) return services.refuse(`name: center ${payload.name} exists`)
    request.created(id)
  },
} satisfies Command<typeof payload>
