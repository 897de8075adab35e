// Brings the files of a deleted image or version back.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'

const payload = object({
  entry: { type: 'integer', minimum: 1, description: 'id of `GET /image/bin`', examples: [1789372800000] },
})

export default {
  summary: 'Bring a deleted image back',
  group: 'Disks and images',
  route: 'POST /image/undelete',
  payload,
  async answer({ payload, services, request }) {
    const restored = await services.images.undelete(payload.entry)
    if (services.isRefusal(restored)) return restored
    if (restored.image !== undefined) request.created(restored.image)
    services.log.info(`${restored.name}.img is there again`)
  },
} satisfies Command<typeof payload>
