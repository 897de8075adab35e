// The fields of centers, rooms, repositories and computers, as callers write them.
import { described, flag, integer, object, text } from './objects.ts'

export const centerFields = {
  name: { type: 'string', minLength: 1, description: 'unique' },
  'comment?': described(text, 'for people'),
} as const

export const roomFields = {
  name: { type: 'string', minLength: 1, description: 'unique in its center', examples: ['Room 1'] },
  netmask: { $ref: 'netmask', examples: ['255.255.255.0'] },
  center: described(integer, 'id of its center', 1),
  location: described(text, 'where it is, for people', 'Building 3'),
  gateway: described(text, 'address of the router of its computers', '10.1.1.254'),
  ntp: described(text, 'address of their time server', '10.1.1.254'),
  dns: described(text, 'address of their name server', '10.1.1.254'),
  group: described({ type: 'integer', minimum: 0 }, 'id of a group of rooms, for consoles; 0: none', 0),
  remote: described(flag, 'for remote access: a flag for consoles', false),
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

const id = { type: 'integer', minimum: 0 } as const

export const oneAddress = {
  type: 'array',
  minItems: 1,
  maxItems: 1,
  items: { $ref: 'ipv4' },
  description: 'the IPv4 address of a computer',
  examples: [['10.1.1.20']],
} as const

/** The numbers of a row and a column of a room's map. */
export const seat = { type: 'integer', minimum: 1, maximum: 99 } as const

export const computerFields = {
  name: { type: 'string', minLength: 1, description: 'its host name' },
  ip: { $ref: 'ipv4' },
  mac: {
    type: 'string',
    pattern: '^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$',
    expected: '12 hex digits',
    description: 'hardware address: 12 hex digits, `:` and `-` between them are dropped',
  },
  room: described(id, 'id of its room'),
  netmask: { type: 'string', anyOf: [{ maxLength: 0 }, { $ref: 'netmask' }], description: 'default: that of its room' },
  boot: described(text, 'boot mode, one of those that `GET /mode` lists; default: pxe'),
  remote: described(flag, 'it may be lent to people who work from elsewhere: a flag for consoles'),
  serial_number: described(text, 'default: what its agent reports'),
  hardware_id: described(id, 'id of its hardware profile, a list that computers share; 0: none'),
  repo_id: described(id, 'id of its image repository; default: 1, this server'),
  netiface: described(text, 'network interface in the live system; default: eth0'),
  netdriver: described(text, 'driver of that interface; default: generic'),
  livedir: described(
    text,
    'folder of the live system that it boots, a `directory` of `GET /oglive/list`; default: ogLive',
  ),
  maintenance: described(flag, 'tasks and schedules leave it out; direct commands reach it'),
  place: {
    type: ['object', 'null'],
    required: ['row', 'column'],
    properties: { row: seat, column: seat },
    description: 'its seat on the map of its room: row and column, 1 to 99; null: none',
  },
} as const

const byAddress = { type: 'object', propertyNames: { $ref: 'ipv4' } } as const

/** Which connected clients get a record. */
export const adoption = object({
  clients: { $ref: 'clients' },
  room: computerFields.room,
  'names?': {
    ...byAddress,
    additionalProperties: computerFields.name,
    description: 'host names by address, in place of those that the agents have said',
  },
  'macs?': {
    ...byAddress,
    additionalProperties: computerFields.mac,
    description: 'hardware addresses by address, in place of those of the agents and of the neighbour table',
  },
})
