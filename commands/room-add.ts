// Adds a room to a center.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const

const payload = {
  type: 'object',
  required: ['name', 'netmask', 'center'],
  properties: {
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
  summary: 'Add a room',
  example: { name: 'Room 1', netmask: '255.255.255.0', center: 1 },
  route: 'POST /room/add',
  payload,
  async answer({ name, netmask, center, ...sent }, { store, refuse }) {
    const added = await store.rooms.add({
      name,
      netmask,
      center,
      location: sent.location ?? '',
      gateway: sent.gateway ?? '',
      ntp: sent.ntp ?? '',
      dns: sent.dns ?? '',
      group: sent.group ?? 0,
      remote: sent.remote ?? false,
    })
    if (added === 'unknown center') return refuse(`center: there is no center ${center}`)
    if (added === 'name taken') return refuse(`name: room ${name} exists in center ${center}`)
  },
} satisfies Command<typeof payload>
