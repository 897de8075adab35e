// Returns the OpenAPI 3.1 document of all commands in service, site commands included.
import type { Command } from 'fleet-host'

export default {
  summary: 'Read the API as an OpenAPI 3.1 document',
  route: 'GET /openapi.json',
  // As a text: a site's commands may make the document longer than the response limit of JSON.
  answer: ({ services }) => services.text('application/json', JSON.stringify(services.apiDocs.openapi())),
} satisfies Command
