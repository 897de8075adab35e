// Deletes a user, and ends the user's sessions.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({ id: idOf('user') })

export default {
  summary: 'Delete a user',
  group: 'Access',
  route: 'POST /user/delete',
  access: 'admin',
  confirm: 'ask',
  payload,
  answer: ({ payload, services, request }) => services.access.deleteUser(Number(payload.id), request),
} satisfies Command<typeof payload>
