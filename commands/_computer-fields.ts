// The schema of a computer record's fields, as callers write them.
const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const

export const computerFields = {
  name: { type: 'string', minLength: 1 },
  ip: { $ref: 'ipv4' },
  mac: { type: 'string', pattern: '^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$', description: '12 hex digits' },
  room: id,
  netmask: { type: 'string', anyOf: [{ maxLength: 0 }, { $ref: 'netmask' }] },
  boot: text,
  remote: flag,
  serial_number: text,
  hardware_id: id,
  repo_id: id,
  netiface: text,
  netdriver: text,
  livedir: text,
  maintenance: flag,
} as const
