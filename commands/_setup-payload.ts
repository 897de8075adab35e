// The schema of the payload of setup.
const value = { type: ['string', 'integer'] } as const

// One of at least four; the first sixteen are checked, further ones are forwarded unchecked.
const slot = {
  type: 'object',
  required: ['partition', 'code', 'filesystem', 'size', 'format'],
  properties: {
    partition: value,
    code: { ...value, description: 'type of the partition, such as LINUX, NTFS or CACHE' },
    filesystem: { ...value, description: 'such as EXT4, NTFS or EMPTY' },
    size: { ...value, description: 'KiB' },
    format: { ...value, description: '1: the filesystem is created, 0: it is not' },
  },
} as const

export const payload = {
  type: 'object',
  required: ['clients', 'type', 'disk', 'cache', 'cache_size', 'partition_setup'],
  properties: {
    clients: { $ref: 'clients' },
    type: { type: 'string', description: 'partition table: MSDOS or GPT' },
    disk: { type: 'string' },
    cache: {
      type: 'string',
      description: '1: the disk has a cache, a partition with copies of images; 0: it has none',
    },
    cache_size: { type: 'string', description: 'KiB' },
    partition_setup: { type: 'array', minItems: 4, items: Array<typeof slot>(16).fill(slot) },
  },
} as const
