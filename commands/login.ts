// Logs a user in: the response sets a cookie, which later requests carry in place of a token.
import type { Command } from 'fleet-host'
import { caller } from './_account-fields.ts'

const payload = {
  type: 'object',
  required: ['name', 'password'],
  properties: {
    name: { type: 'string', maxLength: 64, description: 'of at most 64 characters', writeOnly: true },
    password: { type: 'string', maxLength: 256, description: 'of at most 256 characters', writeOnly: true },
  },
} as const

export default {
  summary: 'Log in with a name and a password',
  group: 'Access',
  example: { name: 'anna', password: 'a password of hers' },
  route: 'POST /login',
  access: 'none',
  returns: caller,
  payload,
  async answer({ payload: { name, password }, services, request }) {
    const session = await services.access.login({ name, password }, request)
    if (services.isRefusal(session)) return session
    const headers = { 'Set-Cookie': session.cookie, 'Cache-Control': 'no-store' }
    return services.text('application/json', JSON.stringify(session.caller), 200, headers)
  },
} satisfies Command<typeof payload>
