// Reads which operating systems are installed on a computer.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

const payload = {
  type: 'object',
  required: ['client'],
  additionalProperties: false,
  properties: { client: { $ref: 'client' } },
} as const

const session = result({ disk: integer, partition: integer, name: described(text, 'the operating system') })
const returns = result({ sessions: list(session) })

export default {
  summary: 'Read the operating systems of a computer',
  example: { client: ['10.1.1.20'] },
  route: 'GET /session',
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return { sessions: await services.store.inventory.sessions(ip) }
  },
} satisfies Command<typeof payload>
