// Reads the disks and partitions of one computer.
import type { CommandOf } from 'fleet-host'
import { oneAddress } from './_schemas/computer-fields.ts'
import { described, integer, list, object } from './_schemas/objects.ts'

const payload = object({ client: oneAddress })

const partition = object({
  disk: described(integer, 'from 1', 1),
  partition: described(integer, '0 is the disk itself', 2),
  code: described(
    integer,
    'type of the partition: 131 Linux, 7 NTFS, 130 swap, 202 cache; of a disk: 0 none, 1 MSDOS, 2 GPT',
    131,
  ),
  size: described(integer, 'KiB', 104857600),
  used_size: described(integer, 'percent', 21),
  filesystem: described(integer, 'id of the filesystem: 0 none, 2 CACHE, 6 EXT4, 9 FAT32, 13 NTFS, 19 LINUX-SWAP', 6),
  os: described(integer, 'id of the operating system, 0 none', 2),
  image: described(integer, 'id of the image that it was restored from or that was made of it, 0 none', 1),
  software: described(integer, 'id of the list of its software, 0 none', 1),
})

const returns = object({ partitions: list(partition) })

export default {
  summary: 'Read the partitions of a computer',
  group: 'Inventory',
  route: 'GET /client/setup',
  http: { prefix: true },
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    const rows = await services.store.inventory.partitions(ip)
    const images = (await services.store.images.list()).filter(({ id }) => rows.some(({ image }) => image === id))
    // Consoles fail on an image that is not in the list of images, and that list leaves out images without a file.
    const listed = await Promise.all(images.map(async ({ id, name }) => ((await services.images.file(name)) ? id : 0)))
    return { partitions: rows.map(row => (listed.includes(row.image) ? row : { ...row, image: 0 })) }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
