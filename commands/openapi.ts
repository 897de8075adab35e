// Describes the API, site modules included, as an OpenAPI 3.1 document.
import type { Command } from 'fleet-host'

export default {
  summary: 'Read the API as an OpenAPI 3.1 document',
  route: 'GET /openapi.json',
  // The limit of a read's body says nothing of a text; a site's own commands make this one longer.
  answer: (_, { apiDocs: reference }) => ({ type: 'application/json', body: JSON.stringify(reference.openapi()) }),
} satisfies Command
