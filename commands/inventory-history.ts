// Reads what has changed in the inventory of a computer, or finds changes of many computers.
import type { CommandOf } from 'fleet-host'
import { foundChanges, history, historyQuery as query } from './_schemas/inventory-history.ts'
import { object } from './_schemas/objects.ts'

const payload = object({ 'client?': { $ref: 'client' } })

const returns = { anyOf: [history, foundChanges] } as const

export default {
  summary: 'Read what has changed in inventories: of one computer, or of many',
  group: 'Inventory',
  route: 'GET /inventory/history',
  returns,
  scoped: true,
  heavy: true,
  payload,
  body: 'optional',
  query,
  answer({ payload, services, request }) {
    const [client] = payload.client ?? []
    const { fleetInventory, refuse } = services
    if (client === undefined) return fleetInventory.changes(request.query, request.rights)
    if (!request.rights.hasClient(client)) return refuse('client: expected a computer of the token', 403)
    return fleetInventory.history(client, request.query)
  },
} satisfies CommandOf<{ payload: typeof payload; query: typeof query; returns: typeof returns }>
