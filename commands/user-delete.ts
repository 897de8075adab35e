// Deletes a user, and ends the user's sessions.
import type { Command } from 'fleet-host'
import { required } from './_schemas/results.ts'

const payload = required({ id: { $ref: 'id', description: 'id of the user, in digits' } })

export default {
  summary: 'Delete a user',
  group: 'Access',
  example: { id: '1' },
  route: 'POST /user/delete',
  access: 'admin',
  destructive: true,
  payload,
  answer: ({ payload, services }) => services.access.deleteUser(Number(payload.id)),
} satisfies Command<typeof payload>
