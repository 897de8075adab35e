// Changes a room; what is not given stays, and the boot files of its computers follow.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const

const payload = {
  type: 'object',
  required: ['room'],
  properties: {
    room: { type: ['integer', 'string'], pattern: '^[0-9]+$' },
    name: { type: 'string', minLength: 1 },
    netmask: { $ref: 'netmask' },
    center: { type: 'integer' },
    location: text,
    gateway: text,
    ntp: text,
    dns: text,
    group: { type: 'integer', minimum: 0 },
    remote: { type: 'boolean' },
  },
} as const

export default {
  summary: 'Change a room',
  example: { room: 1, gateway: '10.1.1.254' },
  route: 'POST /room/update',
  payload,
  answer: ({ room, ...change }, { computers }) => computers.updateRoom(Number(room), change),
} satisfies Command<typeof payload>
