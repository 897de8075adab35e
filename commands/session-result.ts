// Reads which operating systems are installed on a computer.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['client'],
  additionalProperties: false,
  properties: { client: { $ref: 'client' } },
} as const

export default {
  summary: 'Read the operating systems of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /session',
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { sessions: await services.store.inventory.sessions(ip) }
  },
} satisfies Command<typeof payload>
