// Moves the files of an image to the bin and deletes its record, or moves one older version there.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  image: idOf('image'),
  'version?': { $ref: 'id', description: 'deletes only the file of this older version' },
})

export default {
  summary: 'Delete an image',
  group: 'Disks and images',
  example: { image: '1' },
  route: 'POST /image/delete',
  confirm: 'ask',
  payload,
  async answer({ payload, services, request }) {
    const image = await services.store.images.findById(Number(payload.image))
    if (!image) return services.refuse(`image: there is no image ${payload.image}`)
    const version = payload.version === undefined ? undefined : Number(payload.version)
    // Files first: a record without a file can be deleted again, a file without a record never.
    const refusal = await services.images.delete(image, version)
    if (refusal || version !== undefined) return refusal
    await services.undo.keep(request, store => store.images.delete(image.id))
  },
} satisfies Command<typeof payload>
