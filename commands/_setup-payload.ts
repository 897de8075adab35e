// The schema of the payload of setup.
const value = { type: ['string', 'integer'] } as const

// One of at least four; the first sixteen are checked, further ones are forwarded unchecked.
const slot = {
  type: 'object',
  required: ['partition', 'code', 'filesystem', 'size', 'format'],
  properties: {
    partition: { ...value, description: 'number of the partition, from 1' },
    code: {
      ...value,
      description: 'type of the partition by name: LINUX, NTFS, LINUX-SWAP, CACHE, or EMPTY for a slot without one',
    },
    filesystem: { ...value, description: 'EXT4, NTFS, LINUX-SWAP, CACHE or EMPTY' },
    size: { ...value, description: 'KiB' },
    format: { ...value, description: '1: the filesystem is created, 0: it is kept' },
  },
} as const

export const payload = {
  type: 'object',
  required: ['clients', 'type', 'disk', 'cache', 'cache_size', 'partition_setup'],
  properties: {
    clients: { $ref: 'clients' },
    type: { type: 'string', description: 'kind of the partition table', examples: ['MSDOS', 'GPT'] },
    disk: { type: 'string', description: 'number of the disk, from 1' },
    cache: {
      type: 'string',
      description: '1: the disk gets a cache, a partition for copies of images; 0: it gets none',
    },
    cache_size: { type: 'string', description: 'KiB of that cache' },
    partition_setup: { type: 'array', minItems: 4, items: Array<typeof slot>(16).fill(slot) },
  },
} as const
