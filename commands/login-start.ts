// Begins a login by the provider: answers where the browser is to be sent, and sets the cookie that POST /login needs.
import type { CommandOf } from 'fleet-host'
import { described, object, text } from './_schemas/objects.ts'

const payload = object({
  redirect: {
    type: 'string',
    maxLength: 400,
    description: 'the address to which the provider sends the browser back, as it is registered there',
  },
})
const returns = object({
  url: described(text, 'of the provider', 'https://login.example.org/auth?client_id=fleet-host'),
})

export default {
  summary: 'Begin a login by the provider',
  group: 'Access',
  example: { redirect: 'https://fleet.example.org/console' },
  route: 'POST /login/start',
  assistants: false,
  access: 'none',
  returns,
  payload,
  async answer({ payload: { redirect }, services, request }) {
    const begun = await services.access.startLogin(redirect, request)
    if (services.isRefusal(begun)) return begun
    const headers = { 'Set-Cookie': begun.cookie, 'Cache-Control': 'no-store' }
    return services.text('application/json', JSON.stringify({ url: begun.url }), 200, headers)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
