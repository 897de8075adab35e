// Changes the sent fields of a token.
import type { Command } from 'fleet-host'
import { accountFields, disabled, expires } from './_schemas/accounts.ts'
import { idOf, object, optional } from './_schemas/objects.ts'

const payload = object({
  id: idOf('token'),
  ...optional({ ...accountFields, expires, disabled }),
})

export default {
  summary: 'Change a token',
  group: 'Access',
  example: { id: '1', disabled: true },
  route: 'POST /token/update',
  access: 'admin',
  payload,
  answer({ payload, services, request }) {
    const { id, ...change } = payload
    return services.access.updateToken(Number(id), change, request)
  },
} satisfies Command<typeof payload>
