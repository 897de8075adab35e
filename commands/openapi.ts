// Returns the OpenAPI 3.1 document of all commands in service, site commands included.
import type { Command } from 'fleet-host'
import { list, result } from './_schemas/results.ts'

const object = { type: 'object' }
const returns = result({
  openapi: { enum: ['3.1.0'] },
  info: { ...object, examples: [{ title: 'fleet-host' }] },
  servers: list(object),
  security: list(object),
  tags: list(object, 'the groups of the operations'),
  paths: object,
  components: object,
})

export default {
  summary: 'Read the API as an OpenAPI 3.1 document',
  group: 'Server',
  route: 'GET /openapi.json',
  returns,
  scoped: true,
  // As bytes: made once, and a site's commands may make the document longer than the response limit of JSON.
  answer: ({ services }) => services.text('application/json', services.apiDocs.json()),
} satisfies Command
