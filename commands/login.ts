// Logs a user, the holder of a token or a link, or who comes back from a provider, in: the response sets a cookie,
// which later requests carry in place of a token.
import type { CommandOf } from 'fleet-host'
import { caller } from './_schemas/accounts.ts'
import { object } from './_schemas/objects.ts'

const secret = (maxLength: number, description: string) =>
  ({ type: 'string', maxLength, description, writeOnly: true }) as const

const payload = {
  ...object({
    'name?': secret(64, 'of at most 64 characters'),
    'password?': secret(256, 'of at most 256 characters'),
    'token?': secret(1024, 'in place of both: the API token, or one that was made for a program'),
    'link?': secret(64, 'in place of these: what follows `#login=` in a link of POST /login/link'),
    'redirected?': secret(
      8192,
      'in place of these: the address at which the provider of POST /login/start has sent the browser back',
    ),
  }),
  anyOf: [
    { required: ['name', 'password'] },
    { required: ['token'] },
    { required: ['link'] },
    { required: ['redirected'] },
  ],
} as const

export default {
  summary: 'Log in with a name and a password, or with a token',
  group: 'Access',
  example: { name: 'anna', password: 'a password of hers' },
  route: 'POST /login',
  access: 'none',
  returns: caller,
  payload,
  async answer({ payload: { name = '', password = '', token, link, redirected }, services, request }) {
    const secrets = [token && { token }, link && { link }, redirected && { redirected }]
    const session = await services.access.login(secrets.find(each => each) || { name, password }, request)
    if (services.isRefusal(session)) return session
    const headers = { 'Set-Cookie': session.cookies, 'Cache-Control': 'no-store' }
    return services.text('application/json', JSON.stringify(session.caller), 200, headers)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof caller }>
