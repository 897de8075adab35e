// Describes the commands in service as an OpenAPI 3.1 document, from what they declare.
import { readFileSync } from 'node:fs'
import type { ApiDocument } from '../contract/api-document.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { commonSchemas } from '../contract/named-schemas.ts'
import { usedGroups } from './groups.ts'
import { describeOperation, refusals, tokenSchemes } from './openapi-operation.ts'
import { toOpenApi } from './openapi-schema.ts'

const {
  name: title,
  version,
  description,
} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const introduction = `${description}.

Every request carries the token. The response to a refused request has a status and no body; for a caller with the right
token the header \`X-Reason\` has the reason. \`X-Job-Id\` names the job of a command for clients, \`X-Id\` the id of what
was added, \`X-Warning\` what will not work in an accepted request. A path is a prefix: of all routes that the path of a
request begins with, the longest one serves it. A GET takes its payload as the body or as the query.

Every command with \`clients\` takes \`where\` or \`group\` in their place: a query, or the id of a group, that finds them when
the request comes, as far as the caller may see them. It is refused when they find none.`

const securitySchemes = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token without a scheme' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any user name' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'fleet_session', description: 'Set by `POST /login`' },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'For callers that cannot set a header' },
}

const reasonHeader = {
  description: 'The reason, in one line of at most 500 printable ASCII characters, for a caller with the right token',
  schema: { type: 'string' },
}

/** The statuses of refusals for which the token may have been checked before. */
const hasReason = new Set(['400', '403', '404', '405', '409', '413', '429', '500'])

export function describeApi(commands: readonly LoadedCommand[]): ApiDocument {
  const schemas = Object.entries(commonSchemas).map(([name, schema]) => [
    name,
    toOpenApi(schema, `#/components/schemas/${name}`),
  ])
  const responses = Object.entries(refusals).map(([status, { name, description }]) => [
    name,
    {
      description: `${description}. The body is empty.`,
      ...(hasReason.has(status) && { headers: { 'X-Reason': reasonHeader } }),
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title, version, description: introduction },
    servers: [{ url: '/' }],
    security: tokenSchemes,
    tags: usedGroups(commands),
    paths: describePaths(commands),
    components: {
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(responses),
      securitySchemes,
    },
  }
}

function describePaths(commands: readonly LoadedCommand[]): ApiDocument['paths'] {
  const paths: ApiDocument['paths'] = {}
  const add = (path: string, loaded: LoadedCommand) => {
    const operations = paths[path] ?? {}
    operations[loaded.method.toLowerCase()] = describeOperation(loaded, path)
    paths[path] = operations
  }
  for (const loaded of commands.toSorted(byPathAndMethod)) {
    add(loaded.path, loaded)
    // Below a page for people lie its own files.
    if (loaded.command.http?.rest && !loaded.command.http.startPage) add(`${loaded.path}/{rest}`, loaded)
  }
  return paths
}

const byPathAndMethod = (a: LoadedCommand, b: LoadedCommand) =>
  `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1
