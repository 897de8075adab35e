// Ends the session of a user who has logged in. The response is empty but for those whom a provider has logged in.
import type { CommandOf } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const payload = object({
  'redirect?': { type: 'string', maxLength: 400, description: 'where the provider sends the browser afterwards' },
})
const returns = object({
  url: described(
    text,
    'where the browser ends its session at the provider; without one the response is empty',
    'https://login.example.org/logout?client_id=fleet-host',
  ),
})

export default {
  summary: 'Log out',
  group: 'Access',
  route: 'POST /logout',
  access: 'none',
  payload,
  body: 'optional',
  returns,
  async answer({ payload: { redirect }, services, request }) {
    const { cookie, url } = await services.access.logout(request, redirect)
    const headers = { 'Set-Cookie': cookie }
    return url === undefined
      ? services.text('text/plain', '', 200, headers)
      : services.text('application/json', JSON.stringify({ url }), 200, headers)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
