// Adds a token for a program. The response is the only place that ever has the token itself.
import type { CommandOf } from 'fleet-host'
import { accountFields, expires } from './_schemas/accounts.ts'
import { described, integer, object, text } from './_schemas/objects.ts'

const payload = object({ ...accountFields, 'expires?': expires })

const returns = object({ id: integer, token: described(text, 'it cannot be read again', 'fh_1_…') })

export default {
  summary: 'Add a token for a program',
  group: 'Access',
  example: { name: 'lab', role: 'operate', rooms: [1] },
  route: 'POST /token/add',
  access: 'admin',
  returns,
  payload,
  async answer({ payload, services, request }) {
    const added = await services.access.addToken(payload, request.rights.name)
    if (!services.isRefusal(added)) request.created(added.id)
    return added
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
