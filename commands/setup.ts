// Partitions a disk of the listed clients and stores the new layout.
import type { Command } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const value = { type: ['string', 'integer'] } as const

// One of at least four; the first sixteen are checked, further ones are forwarded unchecked.
const slot = object({
  partition: { ...value, description: 'number of the partition, from 1' },
  code: {
    ...value,
    description: 'type of the partition by name: LINUX, NTFS, LINUX-SWAP, CACHE, or EMPTY for a slot without one',
  },
  filesystem: { ...value, description: 'EXT4, NTFS, LINUX-SWAP, CACHE or EMPTY' },
  size: { ...value, description: 'KiB' },
  format: { ...value, description: '1: the filesystem is created, 0: it is kept' },
})

const slots = [1, 2, 3, 4].map(partition => ({
  partition,
  code: 'LINUX',
  filesystem: 'EXT4',
  size: 9000000,
  format: 1,
}))

const payload = object({
  clients: { $ref: 'clients' },
  type: described(text, 'kind of the partition table', 'MSDOS', 'GPT'),
  disk: described(text, 'number of the disk, from 1', '1'),
  cache: described(text, '1: the disk gets a cache, a partition for copies of images; 0: it gets none', '0'),
  cache_size: described(text, 'KiB of that cache', '0'),
  partition_setup: { type: 'array', minItems: 4, items: Array<typeof slot>(16).fill(slot), examples: [slots] },
})

const reply = { $ref: 'inventory' } as const

export default {
  summary: 'Partition a disk',
  group: 'Disks and images',
  route: 'POST /setup',
  confirm: 'consent',
  payload,
  preflight: ({ payload, services }) => services.preflight.setup(payload),
  forward: {
    to: 'POST /setup',
    deadline: 6 * 3600,
    reply,
    checkReply({ reply: { disk_setup = [], partition_setup = [] }, payload, services }) {
      const rows = [...disk_setup, ...partition_setup]
      // Agents reply with all their disks, or with none in a computer's own system.
      if (rows.length === 0 || rows.some(({ disk }) => Number(disk) === Number(payload.disk))) return undefined
      return services.refuse(`disk: expected rows of disk ${payload.disk}, got none`)
    },
    onReply: ({ reply, client, services }) => services.inventory.refresh(reply, client),
  },
} satisfies Command<typeof payload, typeof reply>
