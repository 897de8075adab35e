// Reads the stored software inventory of a partition.
import type { Command } from 'fleet-host'
import { list, result, text } from './_result-schemas.ts'

const payload = {
  type: 'object',
  required: ['client', 'disk', 'partition'],
  properties: {
    client: { $ref: 'client' },
    disk: { type: 'integer', minimum: 0 },
    partition: { type: 'integer', minimum: 0 },
  },
} as const

const returns = result({ software: list(text, 'one per program') })

export default {
  summary: 'Read the software of a partition',
  example: { client: ['10.1.1.20'], disk: 1, partition: 2 },
  route: 'GET /software',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { software: await services.store.inventory.software(ip, payload.disk, payload.partition) }
  },
} satisfies Command<typeof payload>
