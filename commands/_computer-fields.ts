// The schema of a computer record's fields, as callers write them.
const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const
const described = <Schema extends object, Text extends string>(schema: Schema, description: Text) =>
  ({ ...schema, description }) as const

export const computerFields = {
  name: { type: 'string', minLength: 1 },
  ip: { $ref: 'ipv4' },
  mac: { type: 'string', pattern: '^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$', description: '12 hex digits' },
  room: described(id, 'id of its room'),
  netmask: { type: 'string', anyOf: [{ maxLength: 0 }, { $ref: 'netmask' }] },
  boot: described(text, 'boot mode, as `GET /mode` lists them'),
  remote: described(flag, 'for remote access'),
  serial_number: text,
  hardware_id: described(id, 'id of its hardware profile, 0 none'),
  repo_id: described(id, 'id of its image repository'),
  netiface: described(text, 'network interface in the live system, such as eth0'),
  netdriver: described(text, 'driver of the network interface'),
  livedir: described(text, 'folder of the live system that it boots, as `GET /oglive/list` lists them'),
  maintenance: described(flag, 'tasks and schedules skip it'),
} as const
