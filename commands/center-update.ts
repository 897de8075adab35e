// Changes the name or the comment of a center.
import type { Command } from 'fleet-host'
import { anyId, object, optional } from './_schemas/objects.ts'
import { centerFields } from './_schemas/room-fields.ts'

const payload = object({
  center: anyId,
  ...optional(centerFields),
})

export default {
  summary: 'Change a center',
  group: 'Centers, rooms and computers',
  example: { center: 1, name: 'Faculty of Science' },
  route: 'POST /center/update',
  payload,
  async answer({ payload: { center, ...change }, services, request }) {
    const row = { ...change, id: Number(center) }
    const outcome = await services.undo.keep(request, store => store.centers.update(row))
    if (outcome === 'unknown') return services.refuse(`center: there is no center ${center}`)
    if (outcome === 'name taken') return services.refuse(`name: center ${change.name} exists`)
  },
} satisfies Command<typeof payload>
