// Returns the OpenAPI 3.1 document of all commands in service, site commands included.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'

const anything = { type: 'object' }

const returns = object({
  openapi: { enum: ['3.1.0'] },
  info: { ...anything, examples: [{ title: 'fleet-host' }] },
  servers: list(anything),
  security: list(anything),
  tags: list(anything, 'the groups of the operations'),
  paths: anything,
  components: anything,
})

export default {
  summary: 'Read the API as an OpenAPI 3.1 document',
  group: 'Server',
  route: 'GET /openapi.json',
  assistants: false,
  returns,
  scoped: true,
  // As bytes: made once, and a site's commands may make the document longer than the response limit of JSON.
  answer: ({ services }) => services.text('application/json', services.apiDocs.json()),
} satisfies CommandOf<{ returns: typeof returns }>
