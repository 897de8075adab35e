// The fields of centers, rooms and repositories, as callers write them.
import { described, flag, integer, text } from './objects.ts'

export const centerFields = {
  name: { type: 'string', minLength: 1, description: 'unique' },
  'comment?': described(text, 'for people'),
} as const

const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

export const roomFields = {
  name: { type: 'string', minLength: 1, description: 'unique in its center', examples: ['Room 1'] },
  netmask: { $ref: 'netmask', examples: ['255.255.255.0'] },
  center: described(integer, 'id of its center', 1),
  location: described(text, 'where it is, for people', 'Building 3'),
  gateway: {
    type: 'string',
    pattern: `^(${byte}(\\.${byte}){3})?$`,
    expected: 'an address such as 10.1.1.254',
    description: 'address of the router of its computers; empty: none',
    examples: ['10.1.1.254'],
  },
  ntp: described(text, 'address of their time server', '10.1.1.254'),
  dns: described(text, 'address of their name server', '10.1.1.254'),
  group: described({ type: 'integer', minimum: 0 }, 'id of a group of rooms, for consoles; 0: none', 0),
  remote: described(flag, 'for remote access: a flag for consoles', false),
  tags: { $ref: 'tags' },
} as const

export const repositoryFields = {
  name: { type: 'string', minLength: 1, description: 'unique' },
  ip: { $ref: 'ipv4' },
  'slots?': {
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'how many clients may copy images from or to it at once; 0: any number',
  },
} as const
