// Deletes the file and the record of an image; partitions no longer refer to it.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['image'],
  properties: { image: { $ref: 'id', description: 'id of the image, in digits' } },
} as const

export default {
  summary: 'Delete an image',
  group: 'Disks and images',
  example: { image: '1' },
  route: 'POST /image/delete',
  destructive: true,
  payload,
  async answer({ payload, services }) {
    const images = await services.store.images.list()
    const image = images.find(({ id }) => id === Number(payload.image))
    if (!image) return services.refuse(`image: there is no image ${payload.image}`)
    // File first: a record without a file can be deleted again, a file without a record never.
    await services.repository.remove(image.name)
    await services.store.images.delete(image.id)
  },
} satisfies Command<typeof payload>
