// Changes the password of the user who asks. All sessions of the user end; the response sets the cookie of a new one.
import type { CommandOf } from 'fleet-host'
import { caller, password } from './_schemas/accounts.ts'
import { object } from './_schemas/objects.ts'

const payload = object({
  old: { type: 'string', maxLength: 256, description: 'the present password', writeOnly: true },
  password: { ...password, description: 'the new one, 8 to 256 characters' },
})

export default {
  summary: 'Change the password of the user who asks',
  group: 'Access',
  example: { old: 'a password of hers', password: 'another one of hers' },
  route: 'POST /me/password',
  assistants: false,
  access: 'read',
  scoped: true,
  returns: caller,
  payload,
  audit: { writes: true },
  async answer({ payload, services, request }) {
    const session = await services.access.changePassword(payload, request)
    if (services.isRefusal(session)) return session
    const headers = { 'Set-Cookie': session.cookies, 'Cache-Control': 'no-store' }
    return services.text('application/json', JSON.stringify(session.caller), 200, headers)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof caller }>
