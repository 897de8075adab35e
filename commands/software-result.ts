// Reads the stored software inventory of a partition, or finds programs in those of many computers.
import type { CommandOf } from 'fleet-host'
import { foundPrograms, softwareQuery as query } from './_schemas/fleet-inventory.ts'
import { like, list, object, text } from './_schemas/objects.ts'

const payload = object({
  'client?': { $ref: 'client' },
  'disk?': { type: 'integer', minimum: 0, description: 'number of the disk, from 1', examples: [1] },
  'partition?': { type: 'integer', minimum: 0, description: 'number of the partition, from 1', examples: [2] },
})

const ofPartition = {
  ...object({ software: list(like(text, 'vim 2:9.1.0016-1ubuntu7'), 'one per program') }),
  title: 'Of a partition',
} as const

const returns = { anyOf: [ofPartition, foundPrograms] } as const

export default {
  summary: 'Read the software of a partition, or find programs: ?search=',
  group: 'Inventory',
  route: 'GET /software',
  returns,
  scoped: true,
  payload,
  body: 'optional',
  query,
  async answer({ payload, services, request }) {
    const { client, disk, partition } = payload
    if (!client && request.query.search !== undefined)
      return services.fleetInventory.programs(request.query, request.rights)
    if (!client || disk === undefined || partition === undefined)
      return services.refuse('payload: expected client, disk and partition, or a query with search')
    const [ip = ''] = client
    if (!request.rights.hasClient(ip)) return services.refuse('client: expected a computer of the token', 403)
    return { software: await services.store.inventory.software(ip, disk, partition) }
  },
} satisfies CommandOf<{ payload: typeof payload; query: typeof query; returns: typeof returns }>
