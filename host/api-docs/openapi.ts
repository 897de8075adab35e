// Describes the commands in service as an OpenAPI 3.1 document, from what they declare.
import { readFileSync } from 'node:fs'
import type { QueryKey } from '../command.ts'
import type { Loaded } from '../modules/registry.ts'
import { sharedSchemas } from '../modules/schemas.ts'
import type { ApiDocsService } from '../services.ts'
import { translate } from './openapi-schema.ts'

const {
  name: title,
  version,
  description,
} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** `render` makes the page of the document's JSON. */
export function createApiDocs(commands: () => readonly Loaded[], render: (json: string) => string): ApiDocsService {
  let of: readonly Loaded[] | undefined
  let document = {}
  let page = ''
  // The list is replaced whole whenever a module changes.
  const update = () => {
    if (of === commands()) return
    of = commands()
    document = describe(of)
    page = render(JSON.stringify(document))
  }
  return {
    openapi() {
      update()
      return document
    },
    page() {
      update()
      return page
    },
  }
}

const intro = `${description}.

Every request carries the token. A request that is refused has a status and never a body; the reason is one line in the
daemon's log. The path is a prefix: the longest registered one wins. Reads take their payload as the body of the GET.`

const refusals = {
  400: ['Refused', 'The payload is missing or not what the command takes, or it cannot be done'],
  401: ['WrongToken', 'Wrong or no token'],
  404: ['NoJson', 'The body is not JSON, or no command has the path'],
  405: ['WrongMethod', 'Not a method of the route'],
  413: ['TooLong', 'The request is longer than the request limit; the connection closes'],
  500: ['Failed', 'A bug, or stored data cannot be read or written'],
} as const

const tokens = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token as it is' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic', description: 'The token as the password, any user name' },
  query: { type: 'apiKey', in: 'query', name: 'token', description: 'For callers that cannot set a header' },
}
const usual = [{ token: [] }, { bearer: [] }, { basic: [] }]

function describe(commands: readonly Loaded[]): object {
  const paths: Record<string, Record<string, object>> = {}
  const add = (path: string, { method }: Loaded, operation: object) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const loaded of commands.toSorted(inOrder)) {
    add(loaded.path, loaded, operationOf(loaded, loaded.path))
    if (loaded.command.rest) add(`${loaded.path}/{rest}`, loaded, operationOf(loaded, `${loaded.path}/{rest}`))
  }
  const schemas = Object.entries(sharedSchemas).map(([name, piece]) => [
    name,
    translate(piece, `#/components/schemas/${name}`),
  ])
  const responses = Object.values(refusals).map(([name, why]) => [name, { description: `${why}. The body is empty.` }])
  return {
    openapi: '3.1.0',
    info: { title, version, description: intro },
    servers: [{ url: '/' }],
    security: usual,
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(responses),
      securitySchemes: tokens,
    },
  }
}

const inOrder = (a: Loaded, b: Loaded) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1)

function operationOf({ name, method, path, origin, command }: Loaded, at: string): object {
  const { summary, forward, payload, body, open, queryToken, example } = command
  const parameters = parametersOf(command, at !== path)
  const place = `#/paths/${at.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`
  const inside = `${place}/requestBody/content/application~1json/schema`
  const content = payload && { schema: translate(payload, inside), ...(example !== undefined && { example }) }
  return {
    operationId: at === path ? name : `${name}-rest`,
    summary,
    tags: [path.split('/')[1] ?? ''],
    ...(forward && { description: `Goes to the agents of \`clients\` as \`${forward.to}\`.` }),
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: body !== 'optional', content: { 'application/json': content } } }),
    responses: responsesOf(command, method),
    ...(open === true && { security: [] }),
    ...(open === 'open_metrics' && { security: [...usual, {}] }),
    ...(queryToken && { security: [...usual, { query: [] }] }),
    'x-origin': origin === 'built-in' ? origin : 'site',
  }
}

const queueing: Record<string, QueryKey> = {
  queue: { description: '1: clients that are off or busy get it later', example: '1' },
  expires: { description: 'With queue=1: seconds that it may wait' },
  wake: { description: 'With queue=1, 1: clients that are off are woken' },
}

function parametersOf({ query, forward }: Loaded['command'], rest: boolean): object[] {
  const keys = Object.entries({ ...query, ...(forward && queueing) })
  const schema = { type: 'string' }
  return [
    ...(rest ? [{ name: 'rest', in: 'path', required: true, description: 'What it reads one of', schema }] : []),
    ...keys.map(([name, { description, required = false, example }]) => ({
      ...{ name, in: 'query', required, description, schema },
      ...(example !== undefined && { example }),
    })),
  ]
}

function responsesOf({ answer, answers, forward, act, open, payload }: Loaded['command'], method: string): object {
  const makesJob = forward || act
  const job = { 'X-Job-Id': { description: 'The id of its job', schema: { type: 'string' } } }
  const json = method === 'GET' ? { 'application/json': { schema: { type: 'object' } } } : undefined
  const content = answers === undefined ? answer && json : { [answers]: { schema: { type: 'string' } } }
  const fits = ([status]: [string, readonly [string, string]]) =>
    !(status === '401' && open === true) && !(status === '400' && method === 'GET' && !payload && !answer)
  return {
    200: {
      description: makesJob ? 'Accepted' : 'Done',
      ...(makesJob && { headers: job }),
      ...(content && { content }),
    },
    ...Object.fromEntries(
      Object.entries(refusals)
        .filter(fits)
        .map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  }
}
