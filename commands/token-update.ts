// Changes the sent fields of a token.
import type { Command } from 'fleet-host'
import { accountFields, disabled, expires } from './_schemas/accounts.ts'

const payload = {
  type: 'object',
  required: ['id'],
  properties: { id: { $ref: 'id', description: 'id of the token, in digits' }, ...accountFields, expires, disabled },
} as const

export default {
  summary: 'Change a token',
  group: 'Access',
  example: { id: '1', disabled: true },
  route: 'POST /token/update',
  access: 'admin',
  payload,
  answer({ payload, services }) {
    const { id, ...change } = payload
    return services.access.updateToken(Number(id), change)
  },
} satisfies Command<typeof payload>
