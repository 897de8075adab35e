// Moves the files of an image to the bin and deletes its record, or moves one older version there.
import type { Command } from 'fleet-host'
import { idOf, strictObject } from './_schemas/objects.ts'

const payload = strictObject({
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
    const name = version === undefined ? image.name : `${image.name}.v${version}`
    const only = version !== undefined && { version }
    const effects = await services.undo.effects({ kind: 'image', id: image.id, ...only }, request)
    // Files first: a record without a file can be deleted again, a file without a record never.
    const refusal = await services.images.delete(image, version)
    if (refusal) return refusal
    if (effects.length > 0) request.warn(`${name} is deleted, but ${effects.join('; ')}`)
    if (version === undefined) await services.undo.keep(request, store => store.images.delete(image.id))
  },
} satisfies Command<typeof payload>
