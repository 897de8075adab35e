// Gives connected clients without a computer record one: all of them, or none.
import type { Command } from 'fleet-host'
import { adoption as payload } from './_schemas/computer-fields.ts'

export default {
  summary: 'Give connected clients without a record one',
  group: 'Centers, rooms and computers',
  example: { clients: ['10.1.1.20'], room: 1, names: { '10.1.1.20': 'pc-22' } },
  route: 'POST /client/adopt',
  payload,
  async answer({ payload, services, request }) {
    const { clients, names, macs } = payload
    for (const [key, values = {}] of Object.entries({ names, macs })) {
      const other = Object.keys(values).find(addr => !clients.includes(addr))
      if (other !== undefined) return services.refuse(`${key}: expected addresses of clients, got ${other}`)
    }
    const refusal = await services.computers.adopt(payload, request)
    if (refusal) return refusal
    const room = await services.store.rooms.find(payload.room)
    if (room) request.about(`room ${room.name}`)
    const [client = ''] = clients
    const computer = clients.length === 1 ? await services.store.computers.find(client) : undefined
    if (computer) request.created(computer.id)
  },
} satisfies Command<typeof payload>
