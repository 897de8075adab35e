// Makes a link that logs a browser on the server in as the caller, once and for a minute.
import type { CommandOf } from 'fleet-host'
import { described, integer, object, text } from './_schemas/objects.ts'

const returns = object({
  path: described(text, 'of the console; counts once', '/console#login=…'),
  seconds: described(integer, 'how long the link counts', 60),
})

export default {
  summary: 'Make a link that logs a browser on the server in',
  group: 'Access',
  route: 'POST /login/link',
  assistants: false,
  access: 'read',
  scoped: true,
  returns,
  answer: ({ services, request }) => services.access.loginLink(request),
} satisfies CommandOf<{ returns: typeof returns }>
