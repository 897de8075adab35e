// The schemas of image-create: what callers send, and what agents reply.
import { softwareList } from './_software-list.ts'

const text = { type: 'string' } as const
const number = { type: 'integer', minimum: 0 } as const
const digits = { $ref: 'id' } as const
const place = { $ref: 'place' } as const
// Stored with the image.
const word = { type: 'string', pattern: '^[ -~]{0,64}$', description: 'at most 64 printable ASCII characters' } as const
// Numbers up to this one are exact.
const bytes = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

export const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition', 'name', 'id', 'code'],
  anyOf: [{ required: ['repository'] }, { required: ['repository_id'] }],
  properties: {
    clients: { $ref: 'clients' },
    disk: text,
    partition: text,
    name: text,
    id: { type: 'string', description: 'id of the image; a description replaces it by the id of the new image' },
    code: { type: 'string', description: 'type of the partition, as `client/setup` shows it: 131 is Linux' },
    repository: { type: 'string', description: 'address of the repository' },
    repository_id: { type: ['integer', 'string'], pattern: '^[0-9]+$', expected: 'digits', description: 'or its id' },
    description: { type: 'string', description: 'adds the image to the list of images' },
    group_id: number,
    center_id: number,
  },
} as const

export const reply = {
  type: 'object',
  required: ['software', 'partition', 'disk', 'id', 'datasize', 'clonator', 'compressor', 'filesystem'],
  properties: {
    software: softwareList,
    partition: place,
    disk: place,
    id: digits,
    code: text,
    name: text,
    repository: text,
    datasize: bytes,
    clonator: word,
    compressor: word,
    filesystem: word,
  },
} as const
