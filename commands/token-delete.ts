// Deletes a token: it is refused from then on.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('token') })

export default {
  summary: 'Delete a token',
  group: 'Access',
  route: 'POST /token/delete',
  access: 'admin',
  confirm: 'ask',
  payload,
  answer: ({ payload, services, request }) => services.access.deleteToken(Number(payload.id), request),
} satisfies Command<typeof payload>
