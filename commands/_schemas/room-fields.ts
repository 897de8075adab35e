// The schema of a room's fields, as callers write them.
import { described, flag, integer, text } from './results.ts'

export const roomFields = {
  name: { type: 'string', minLength: 1, description: 'unique in its center' },
  netmask: { $ref: 'netmask' },
  center: described(integer, 'id of its center'),
  location: described(text, 'where it is, for people'),
  gateway: described(text, 'address of the router of its computers'),
  ntp: described(text, 'address of their time server'),
  dns: described(text, 'address of their name server'),
  group: described({ type: 'integer', minimum: 0 }, 'id of a group of rooms, for consoles; 0: none'),
  remote: described(flag, 'for remote access: a flag for consoles'),
} as const
