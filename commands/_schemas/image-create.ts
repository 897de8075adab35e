// The schemas of image-create: what callers send, and what agents reply.
import { described, object, text } from './objects.ts'

const number = { type: 'integer', minimum: 0 } as const
const digits = { $ref: 'id' } as const
const place = { $ref: 'place' } as const
// Stored with the image.
const word = { type: 'string', pattern: '^[ -~]{0,64}$', description: 'at most 64 printable ASCII characters' } as const
// Numbers up to this one are exact.
const bytes = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/** The operating system and one program a line; no system has so many. */
export const softwareList = { type: 'string', maxLines: 10_000 } as const

export const payload = {
  ...object({
    clients: { $ref: 'clients' },
    disk: described(text, 'number of the disk, from 1', '1'),
    partition: described(text, 'number of the partition, from 1', '2'),
    name: described(text, 'the file is `<name>.img`', 'ubuntu'),
    id: {
      type: 'string',
      description: 'id of the image; 0: that of the name; with `description`, the id of the new image replaces it',
      proposed: '0',
      examples: ['0'],
    },
    code: described(
      text,
      'type of the partition, as `GET /client/setup` shows it: 131 Linux, 7 NTFS, 130 swap, 202 cache',
      '131',
    ),
    'repository?': described(text, 'address of the repository that gets the file', '10.1.1.2'),
    'repository_id?': {
      type: ['integer', 'string'],
      pattern: '^[0-9]+$',
      expected: 'digits',
      description: 'id of the repository, in place of its address',
    },
    'description?': { type: 'string', description: 'adds the image to the list of `GET /images`' },
    'group_id?': { ...number, description: 'id of a group of images, for consoles' },
    'center_id?': { ...number, description: 'id of the center that the image belongs to' },
  }),
  anyOf: [{ required: ['repository'] }, { required: ['repository_id'] }],
} as const

export const reply = object({
  software: softwareList,
  partition: place,
  disk: place,
  id: digits,
  'code?': text,
  'name?': text,
  'repository?': text,
  datasize: bytes,
  clonator: word,
  compressor: word,
  filesystem: word,
})
