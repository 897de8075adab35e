// Reads the record of a computer.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['client'],
  properties: { client: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: 'ipv4' } } },
} as const

export default {
  summary: 'Read a computer record',
  example: { client: ['10.1.1.20'] },
  route: 'GET /client/info',
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return (await services.store.computers.find(ip)) ?? services.refuse(`client: there is no computer ${ip}`)
  },
} satisfies Command<typeof payload>
