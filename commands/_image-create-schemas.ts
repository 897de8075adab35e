// The schemas of image-create: what callers send, and what agents reply.
const text = { type: 'string' } as const
const number = { type: 'integer', minimum: 0 } as const
const digits = { $ref: 'id' } as const

export const payload = {
  type: 'object',
  required: ['clients', 'disk', 'partition', 'name', 'id', 'code'],
  anyOf: [{ required: ['repository'] }, { required: ['repository_id'] }],
  properties: {
    clients: { $ref: 'clients' },
    disk: text,
    partition: text,
    name: text,
    id: text,
    code: text,
    repository: text,
    repository_id: { type: ['integer', 'string'], pattern: '^[0-9]+$' },
    description: text,
    group_id: number,
    center_id: number,
  },
} as const

export const reply = {
  type: 'object',
  required: ['software', 'partition', 'disk', 'id', 'datasize', 'clonator', 'compressor', 'filesystem'],
  properties: {
    software: text,
    partition: digits,
    disk: digits,
    id: digits,
    code: text,
    name: text,
    repository: text,
    datasize: number,
    clonator: text,
    compressor: text,
    filesystem: text,
  },
} as const
