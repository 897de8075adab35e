// The schema of a room's fields, as callers write them.
const text = { type: 'string' } as const

export const roomFields = {
  name: { type: 'string', minLength: 1 },
  netmask: { $ref: 'netmask' },
  center: { type: 'integer' },
  location: text,
  gateway: text,
  ntp: text,
  dns: text,
  group: { type: 'integer', minimum: 0 },
  remote: { type: 'boolean' },
} as const
