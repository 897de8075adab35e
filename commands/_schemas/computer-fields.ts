// The fields of computers, as callers write them.
import { described, flag, object, text } from './objects.ts'

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
  name: { type: 'string', minLength: 1, description: 'its host name', examples: ['pc-20'] },
  ip: { $ref: 'ipv4' },
  mac: {
    type: 'string',
    pattern: '^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$',
    expected: '12 hex digits',
    description: 'hardware address: 12 hex digits, `:` and `-` between them are dropped',
    examples: ['001b210a0b0c'],
  },
  room: described(id, 'its room', 1),
  netmask: {
    type: 'string',
    anyOf: [{ maxLength: 0 }, { $ref: 'netmask' }],
    description: 'default: that of its room',
    examples: ['255.255.255.0'],
  },
  boot: described(text, 'boot mode, one of those that `GET /mode` lists; default: pxe', 'pxe'),
  remote: described(flag, 'it may be lent to people who work from elsewhere: a flag for consoles'),
  serial_number: described(text, 'default: what its agent reports', 'CZC8473H2K'),
  hardware_id: described(id, 'id of its hardware profile, a list that computers share; 0: none', 0),
  repo_id: described(id, 'id of its image repository; default: 1, this server', 1),
  netiface: described(text, 'network interface in the live system; default: eth0', 'eth0'),
  netdriver: described(text, 'driver of that interface; default: generic', 'generic'),
  livedir: described(
    text,
    'folder of the live system that it boots, a `directory` of `GET /oglive/list`; default: ogLive',
    'ogLive',
  ),
  maintenance: described(flag, 'tasks and schedules leave it out; direct commands reach it'),
  place: {
    type: ['object', 'null'],
    required: ['row', 'column'],
    properties: { row: seat, column: seat },
    description: 'its seat on the map of its room: row and column, 1 to 99; null: none',
  },
  tags: { $ref: 'tags' },
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
