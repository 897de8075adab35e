// Serves the API reference as an HTML page.
import type { Command } from 'fleet-host'

export default {
  summary: 'Show the API in a browser',
  group: 'Server',
  route: 'GET /docs',
  scoped: true,
  http: { browserLogin: true },
  mediaType: 'text/html',
  answer: ({ services }) => services.apiDocs.page(),
} satisfies Command
