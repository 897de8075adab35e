// Serves the console: the page that shows the fleet in a browser. It asks for a login by itself.
import type { Command } from 'fleet-host'

export default {
  summary: 'Show the fleet in a browser',
  group: 'Server',
  route: 'GET /console',
  access: 'none',
  http: { startPage: true, rest: true },
  mediaType: 'text/html',
  answer: ({ services, request }) => services.console.respond(request.rest),
} satisfies Command
