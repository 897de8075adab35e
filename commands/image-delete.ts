// Deletes an image: its file and its record; partitions that named it name none then.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['image'], properties: { image: { $ref: 'id' } } } as const

export default {
  summary: 'Delete an image',
  example: { image: '1' },
  route: 'POST /image/delete',
  payload,
  async answer({ image: id }, { store, repository, refuse }) {
    const image = (await store.images.list()).find(one => one.id === Number(id))
    if (!image) return refuse(`image: there is no image ${id}`)
    // A record without a file is listed nowhere and can be deleted again; a file without a record would stay for ever.
    await repository.remove(image.name)
    await store.images.delete(image.id)
  },
} satisfies Command<typeof payload>
