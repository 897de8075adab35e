// Adds a user, who logs in with a name and a password.
import type { Command } from 'fleet-host'
import { accountFields, password } from './_schemas/accounts.ts'
import { object } from './_schemas/objects.ts'

const payload = object({ ...accountFields, password })

export default {
  summary: 'Add a user',
  group: 'Access',
  example: { name: 'anna', password: 'a password of hers', role: 'operate', rooms: [1] },
  route: 'POST /user/add',
  access: 'admin',
  payload,
  async answer({ payload, services, request }) {
    const id = await services.access.addUser(payload, request.rights.name)
    if (services.isRefusal(id)) return id
    request.created(id)
  },
} satisfies Command<typeof payload>
