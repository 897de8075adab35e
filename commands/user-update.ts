// Changes the sent fields of a user. A new password, or disabling, ends the user's sessions.
import type { Command } from 'fleet-host'
import { accountFields, disabled, password } from './_schemas/accounts.ts'
import { idOf, object, optional } from './_schemas/objects.ts'

const payload = object({
  id: idOf('user'),
  ...optional({ ...accountFields, password, disabled }),
})

export default {
  summary: 'Change a user',
  group: 'Access',
  example: { id: '1', role: 'read' },
  route: 'POST /user/update',
  access: 'admin',
  payload,
  answer({ payload, services, request }) {
    const { id, ...change } = payload
    return services.access.updateUser(Number(id), change, request)
  },
} satisfies Command<typeof payload>
