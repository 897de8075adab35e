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
  async answer({ client: [ip = ''] }, { store, repository }) {
    const rows = await store.inventory.partitions(ip)
    const used = (await store.images.list()).filter(({ id }) => rows.some(({ image }) => image === id))
    // Consoles fail on an image that the list of images does not name: one without a file counts as none.
    const listed = await Promise.all(used.map(async ({ id, name }) => ((await repository.file(name)) ? id : 0)))
    return { partitions: rows.map(row => (listed.includes(row.image) ? row : { ...row, image: 0 })) }
  },
} satisfies Command<typeof payload>
