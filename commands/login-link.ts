// Makes a link that logs a browser on the server in as the caller, once and for a minute.
import type { Command } from 'fleet-host'
import { described, integer, object, text } from './_schemas/objects.ts'

export default {
  summary: 'Make a link that logs a browser on the server in',
  group: 'Access',
  route: 'POST /login/link',
  access: 'read',
  scoped: true,
  returns: object({
    path: described(text, 'of the console; counts once', '/console#login=…'),
    seconds: described(integer, 'how long the link counts', 60),
  }),
  answer: ({ services, request }) => services.access.loginLink(request),
} satisfies Command
