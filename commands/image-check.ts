// Compares the file of an image with the checksum that the agent wrote next to it, in the background.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  image: idOf('image'),
  'version?': { $ref: 'id', description: 'checks the file of this older version' },
})

export default {
  summary: 'Check the file of an image',
  group: 'Disks and images',
  example: { image: '1' },
  route: 'POST /image/check',
  access: 'operate',
  payload,
  async answer({ payload, services }) {
    const image = await services.store.images.findById(Number(payload.image))
    if (!image) return services.refuse(`image: there is no image ${payload.image}`)
    return services.images.check(image, payload.version === undefined ? undefined : Number(payload.version))
  },
} satisfies Command<typeof payload>
