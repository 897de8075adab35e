// Adds a room to a center.
import type { Command } from 'fleet-host'
import { roomFields } from './_schemas/room-fields.ts'

const payload = { type: 'object', required: ['name', 'netmask', 'center'], properties: roomFields } as const

export default {
  summary: 'Add a room',
  group: 'Centers, rooms and computers',
  example: { name: 'Room 1', netmask: '255.255.255.0', center: 1 },
  route: 'POST /room/add',
  payload,
  async answer({ payload, services, request }) {
    const {
      name,
      netmask,
      center,
      location = '',
      gateway = '',
      ntp = '',
      dns = '',
      group = 0,
      remote = false,
      tags,
    } = payload
    const room = { name, netmask, center, location, gateway, ntp, dns, group, remote, ...(tags && { tags }) }
    const added = await services.store.rooms.add(room)
    if (added === 'unknown center') return services.refuse(`center: there is no center ${center}`)
    if (added === 'name taken') return services.refuse(`name: room ${name} exists in this center`)
    request.created(added)
    const isLike = (other: string) => other !== name && other.toLowerCase() === name.toLowerCase()
    const rooms = await services.store.rooms.list()
    const same = rooms.find(each => each.center === center && isLike(each.name))
    if (same) request.warn(`name: this center has a room ${same.name}, too`)
  },
} satisfies Command<typeof payload>
