// Serves the API reference as an HTML page.
import type { Command } from 'fleet-host'

export default {
  summary: 'Show the API in a browser',
  route: 'GET /docs',
  browserLogin: true,
  mediaType: 'text/html',
  answer: ({ services }) => services.text('text/html; charset=utf-8', services.apiDocs.page()),
} satisfies Command
