// The schema of a room's fields, as callers write them.
const text = { type: 'string' } as const
const described = <const Schema extends object, Text extends string>(schema: Schema, description: Text) =>
  ({ ...schema, description }) as const

export const roomFields = {
  name: { type: 'string', minLength: 1, description: 'unique in its center' },
  netmask: { $ref: 'netmask' },
  center: described({ type: 'integer' }, 'id of its center'),
  location: described(text, 'where it is, for people'),
  gateway: described(text, 'address of the router of its computers'),
  ntp: described(text, 'address of their time server'),
  dns: described(text, 'address of their name server'),
  group: described({ type: 'integer', minimum: 0 }, 'id of a group of rooms, for consoles; 0: none'),
  remote: described({ type: 'boolean' }, 'for remote access: a flag for consoles'),
} as const
