// Adds a computer record.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const

const payload = {
  type: 'object',
  required: ['name', 'ip', 'mac', 'room'],
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
  summary: 'Add a computer',
  example: { name: 'pc-20', ip: '10.1.1.20', mac: '00:1b:21:0a:0b:0c', room: 1 },
  route: 'POST /client/add',
  payload,
  answer: (computer, { computers }) => computers.add(computer),
} satisfies Command<typeof payload>
