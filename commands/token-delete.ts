// Deletes a token: it is refused from then on.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ id: { $ref: 'id', description: 'id of the token, in digits' } })

export default {
  summary: 'Delete a token',
  group: 'Access',
  example: { id: '1' },
  route: 'POST /token/delete',
  access: 'admin',
  destructive: true,
  payload,
  answer: ({ payload, services }) => services.access.deleteToken(Number(payload.id)),
} satisfies Command<typeof payload>
