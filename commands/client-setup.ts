// Reads the disks and partitions of one computer.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['client'],
  properties: { client: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'ipv4' } } },
} as const

export default {
  summary: 'Read the partitions of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /client/setup',
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    const rows = await services.store.inventory.partitions(ip)
    const images = (await services.store.images.list()).filter(({ id }) => rows.some(({ image }) => image === id))
    // Consoles fail on an image that is not in the list of images, and that list leaves out images without a file.
    const listed = await Promise.all(
      images.map(async ({ id, name }) => ((await services.repository.file(name)) ? id : 0)),
    )
    return { partitions: rows.map(row => (listed.includes(row.image) ? row : { ...row, image: 0 })) }
  },
} satisfies Command<typeof payload>
