// Changes a computer record; its boot files follow.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const

const payload = {
  type: 'object',
  required: ['ip'],
  properties: {
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
  },
} as const

export default {
  summary: 'Change a computer',
  example: { ip: '10.1.1.20', name: 'pc-20b', maintenance: true },
  route: 'POST /client/update',
  payload,
  answer: ({ ip, ...change }, { computers }) => computers.update(ip, change),
} satisfies Command<typeof payload>
