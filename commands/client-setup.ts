// Reads the disks and partitions of one computer.
import type { Command } from 'fleet-host'
import { described, integer, list, result } from './_result-schemas.ts'

const payload = {
  type: 'object',
  required: ['client'],
  properties: { client: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'ipv4' } } },
} as const

const partition = result({
  disk: described(integer, 'from 1'),
  partition: described(integer, '0 is the disk itself'),
  code: described(integer, 'type of the partition; of a disk: 0 none, 1 MSDOS, 2 GPT'),
  size: described(integer, 'KiB'),
  used_size: described(integer, 'percent'),
  filesystem: described(integer, 'id of the filesystem, 0 none'),
  os: described(integer, 'id of the operating system, 0 none'),
  image: described(integer, 'id of the image that it was restored from or that was made of it, 0 none'),
  software: described(integer, 'id of the list of its software, 0 none'),
})
const returns = result({ partitions: list(partition) })

export default {
  summary: 'Read the partitions of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /client/setup',
  returns,
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
