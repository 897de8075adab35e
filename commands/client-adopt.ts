// Gives connected clients without a computer record one: all of them, or none.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { computerFields } from './_schemas/record-fields.ts'

const byAddress = { type: 'object', propertyNames: { $ref: 'ipv4' } } as const

const payload = object({
  clients: { $ref: 'clients' },
  room: computerFields.room,
  'names?': {
    ...byAddress,
    additionalProperties: computerFields.name,
    description: 'host names by address, in place of those that the agents have said',
  },
  'macs?': {
    ...byAddress,
    additionalProperties: computerFields.mac,
    description: 'hardware addresses by address, in place of those of the agents and of the neighbour table',
  },
})

export default {
  summary: 'Give connected clients without a record one',
  group: 'Centers, rooms and computers',
  example: { clients: ['10.1.1.20'], room: 1, names: { '10.1.1.20': 'pc-22' } },
  route: 'POST /client/adopt',
  payload,
  async answer({ payload, services, request }) {
    const { clients, room } = payload
    // `as`: the schema admits texts only, which its type cannot say.
    const { names, macs } = payload as { names?: Record<string, string>; macs?: Record<string, string> }
    for (const [key, values = {}] of Object.entries({ names, macs })) {
      const other = Object.keys(values).find(addr => !clients.includes(addr))
      if (other !== undefined) return services.refuse(`${key}: expected addresses of clients, got ${other}`)
    }
    const refusal = await services.computers.adopt({ clients, room, ...(names && { names }), ...(macs && { macs }) })
    if (refusal) return refusal
    const [client = ''] = clients
    const computer = clients.length === 1 ? await services.store.computers.find(client) : undefined
    if (computer) request.created(computer.id)
  },
} satisfies Command<typeof payload>
