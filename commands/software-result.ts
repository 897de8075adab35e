// Reads the stored software inventory of a partition.
import type { CommandOf } from 'fleet-host'
import { like, list, object, text } from './_schemas/objects.ts'

const payload = object({
  client: { $ref: 'client' },
  disk: { type: 'integer', minimum: 0, description: 'number of the disk, from 1', examples: [1] },
  partition: { type: 'integer', minimum: 0, description: 'number of the partition, from 1', examples: [2] },
})

const returns = object({ software: list(like(text, 'vim 2:9.1.0016-1ubuntu7'), 'one per program') })

export default {
  summary: 'Read the software of a partition',
  group: 'Inventory',
  route: 'GET /software',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { software: await services.store.inventory.software(ip, payload.disk, payload.partition) }
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
