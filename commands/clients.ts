// Lists wake-up entries and connected clients with their state.
import type { Command } from 'fleet-host'
import { client } from './_schemas/clients.ts'
import { list, object } from './_schemas/objects.ts'

export default {
  summary: 'List clients and their state',
  group: 'Clients',
  route: 'GET /clients',
  http: { prefix: true },
  returns: object({ clients: list(client, 'clients that are being woken first, then connected ones') }),
  scoped: true,
  answer({ services, request: { rights } }) {
    const clients = services.fleet.clients()
    return { clients: rights.isLimited ? clients.filter(({ addr }) => rights.hasClient(addr)) : clients }
  },
} satisfies Command
