// Describes the commands in service as an OpenAPI 3.1 document, from what they declare.
import { readFileSync } from 'node:fs'
import type { LoadedCommand } from '../loaded-command.ts'
import { sharedSchemas } from '../modules/schemas.ts'
import { describeOperation, refusals, tokenSchemes } from './openapi-operation.ts'
import { translate } from './openapi-schema.ts'

const {
  name: title,
  version,
  description,
} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const introduction = `${description}.

Every request carries the token. The response to a refused request has a status and no body; the reason is one line in
the daemon's log. A path is a prefix: of all routes that the path of a request begins with, the longest one serves it.
A GET takes its payload as the body.`

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token without a scheme' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any user name' },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'For callers that cannot set a header' },
}

export function describeApi(commands: readonly LoadedCommand[]): object {
  const schemas = Object.entries(sharedSchemas).map(([name, schema]) => [
    name,
    translate(schema, `#/components/schemas/${name}`),
  ])
  const responses = Object.values(refusals).map(({ name, description }) => [
    name,
    { description: `${description}. The body is empty.` },
  ])
  return {
    openapi: '3.1.0',
    info: { title, version, description: introduction },
    servers: [{ url: '/' }],
    security: tokenSchemes,
    paths: describePaths(commands),
    components: {
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(responses),
      securitySchemes,
    },
  }
}

function describePaths(commands: readonly LoadedCommand[]): object {
  const paths: Record<string, Record<string, object>> = {}
  const add = (path: string, loaded: LoadedCommand) => {
    const operations = paths[path] ?? {}
    operations[loaded.method.toLowerCase()] = describeOperation(loaded, path)
    paths[path] = operations
  }
  for (const loaded of commands.toSorted(byPathAndMethod)) {
    add(loaded.path, loaded)
    if (loaded.command.rest) add(`${loaded.path}/{rest}`, loaded)
  }
  return paths
}

const byPathAndMethod = (a: LoadedCommand, b: LoadedCommand) =>
  `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1
