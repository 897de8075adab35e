// Describes one command as an operation of the OpenAPI document.
import { type Operation, type Parameter, type Schema, withTargets } from '../contract/api-document.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { answerExamples, payloadExample } from './answer-example.ts'
import { groupOf } from './groups.ts'
import { isObject, toOpenApi } from './openapi-schema.ts'

/** The refusals by status; each is a component of the document under its name. */
export const refusals = {
  400: { name: 'Refused', description: 'The payload is missing or does not match, or the command cannot be executed' },
  401: { name: 'WrongToken', description: 'The token is wrong, expired, disabled or missing' },
  403: {
    name: 'Forbidden',
    description: 'The caller lacks the right, or a browser sends it for a page of another origin',
  },
  404: { name: 'NoJson', description: 'The body is not JSON, or no command has the path' },
  405: { name: 'WrongMethod', description: 'The route does not have this method' },
  409: {
    name: 'Conflict',
    description: 'It would overwrite what was changed later: to be sent again with `overwrite`',
  },
  413: { name: 'TooLong', description: 'The request is longer than the request limit; the connection closes' },
  429: {
    name: 'TooMany',
    description: 'More at once than a limit allows, or too many failed logins: to be sent again later',
  },
  500: { name: 'Failed', description: 'A bug, or the store cannot be read or written' },
} as const

/** Any of these schemes, which the document defines. */
export const tokenSchemes = [{ token: [] }, { bearer: [] }, { basic: [] }, { cookie: [] }]

/** `path` is the command's path, or the path with `/{rest}` behind it. */
export function describeOperation(loaded: LoadedCommand, path: string): Operation {
  const { name, method, origin, command } = loaded
  const isRest = path !== loaded.path
  const pointer = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`
  const { summary, forward, aliases, confirm, assistants, preview } = command
  const parameters = describeParameters(loaded, isRest, pointer)
  // JSON has no keys with undefined values.
  return {
    operationId: isRest ? `${name}-rest` : name,
    summary,
    description: forward && `Sent to the agents of \`clients\` as \`${forward.to}\`.`,
    tags: [groupOf(loaded)],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: describeBody(loaded, pointer),
    responses: describeResponses(loaded, pointer),
    security: describeSecurity(command),
    'x-origin': origin === 'built-in' ? origin : 'site',
    'x-access': loaded.access,
    'x-forward': forward?.to,
    'x-aliases': aliases?.length ? aliases : undefined,
    'x-finds-clients': loaded.findsClients || undefined,
    'x-destructive': confirm && true,
    'x-needs-consent': confirm === 'consent' || undefined,
    'x-assistants': assistants,
    'x-previews': preview && true,
  }
}

/** Where the schema of a payload is in its operation. */
const payloadPointer = 'requestBody/content/application~1json/schema'

/** As callers may send it. */
const payloadOf = ({ command: { payload }, findsClients }: LoadedCommand): Schema | undefined =>
  payload && findsClients ? withTargets(payload) : payload

function describeBody(loaded: LoadedCommand, pointer: string): Operation['requestBody'] {
  const { method, command } = loaded
  const { body } = command
  const payload = payloadOf(loaded)
  if (!payload) return undefined
  const content = { schema: toOpenApi(payload, `${pointer}/${payloadPointer}`), example: payloadExample(command) }
  // A GET may have its payload in the query.
  return { required: body !== 'optional' && method !== 'GET', content: { 'application/json': content } }
}

/** Undefined where the document's default applies: any form of the token in a header. */
function describeSecurity({ access, http }: LoadedCommand['command']): object[] | undefined {
  if (access === 'none') return []
  if (http?.openWith) return [...tokenSchemes, {}]
  if (http?.queryToken) return [...tokenSchemes, { query: [] }]
  return undefined
}

function toQueryParameter(parameter: { name: string; description: string; example?: string }) {
  return { ...parameter, in: 'query', required: false, schema: { type: 'string' } }
}

/** What every command takes that is sent to agents. */
const queueParameters = [
  { name: 'queue', description: '`1`: clients that are off or busy get it later', example: '1' },
  { name: 'expires', description: 'Seconds that it may wait as the first of the queue of its client, with `queue=1`' },
  { name: 'wake', description: '`1`: wakes the clients that are off, with `queue=1`' },
].map(toQueryParameter)

const dryRunParameter = toQueryParameter({
  name: 'dry_run',
  description: '`1`: sends nothing; `clients` of the response has the reason for each client that would be skipped',
  example: '1',
})

function describeParameters(loaded: LoadedCommand, isRest: boolean, pointer: string): Parameter[] {
  const { method, command } = loaded
  const { query, forward } = command
  const rest = {
    name: 'rest',
    in: 'path',
    required: true,
    description: 'What to read, such as an id',
    schema: { type: 'string' },
  }
  const first = isRest ? 1 : 0
  return [
    ...(isRest ? [rest] : []),
    ...describeKeys(query ?? {}, index => `${pointer}/parameters/${first + index}/schema`),
    ...(forward ? queueParameters : []),
    ...(forward || command.act ? [dryRunParameter] : []),
    ...(method === 'GET'
      ? describePayloadKeys(payloadOf(loaded) ?? {}, payloadExample(command), `${pointer}/${payloadPointer}`)
      : []),
  ]
}

/** The keys of a GET's payload, which the query may have in place of a body. `pointer`: the schema of the body. */
function describePayloadKeys(payload: object, example: unknown, pointer: string): Parameter[] {
  return describeKeys(payload, () => pointer).map(parameter => {
    const value = isObject(example) ? example[parameter.name] : undefined
    const text = parameter.description === undefined ? '' : `: ${parameter.description}`
    const description = `In place of the payload${text}`
    return { ...parameter, required: false, description, example: value ?? parameter.example }
  })
}

/** One parameter per property of a schema; `pointerOf` returns where the schema of one is in the document. */
function describeKeys(schema: object, pointerOf: (index: number) => string): Parameter[] {
  const { properties = {}, required = [] }: Schema = schema
  return Object.entries(properties).map(([name, property], index) => {
    const { description, examples, ...keywords } = property
    const schema = toOpenApi(keywords, pointerOf(index))
    return { name, in: 'query', required: required.includes(name), schema, description, example: examples?.[0] }
  })
}

function describeResponses(loaded: LoadedCommand, pointer: string): Operation['responses'] {
  const { command, method } = loaded
  const { answer, forward, act, access, payload, query } = command
  const jobHeader = { 'X-Job-Id': { description: 'The id of the job', schema: { type: 'string' } } }
  const result = forward || act ? { description: 'Accepted', headers: jobHeader } : { description: 'Done' }
  const responses: Operation['responses'] = { 200: { ...result, content: describeContent(command, method, pointer) } }
  const logsIn = access === 'none' && method === 'POST' && payload !== undefined
  // Such commands may put parts into the queue.
  const mayRun = forward !== undefined || (method === 'POST' && loaded.access === 'operate')
  for (const [status, { name }] of Object.entries(refusals)) {
    if (status === '401' && access === 'none' && !logsIn) continue
    if (status === '403' && method === 'GET' && access === 'none') continue
    if (status === '429' && !logsIn && !command.heavy && !mayRun) continue
    if (status === '409' && !(payload && /"overwrite"/.test(JSON.stringify(payload)) && !forward)) continue
    if (status === '400' && method === 'GET' && !payload && !query && !answer) continue
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}

/** The body of a success, undefined when it is empty. */
function describeContent({ answer, mediaType, returns }: LoadedCommand['command'], method: string, pointer: string) {
  const type = mediaType ?? 'application/json'
  const place = `${pointer}/responses/200/content/${type.replaceAll('/', '~1')}/schema`
  if (returns) return { [type]: { schema: toOpenApi(returns, place), ...describeExamples(returns) } }
  if (mediaType !== undefined) return { [mediaType]: { schema: { type: 'string' } } }
  return answer && method === 'GET' ? { [type]: { schema: { type: 'object' } } } : undefined
}

/** `example`, or `examples` by number when an answer has several forms. */
function describeExamples(returns: object): object {
  const [first, ...others] = answerExamples(returns)
  if (others.length === 0) return { example: first?.value }
  const entries = [first, ...others].map((example, index) => [
    `form-${index + 1}`,
    { summary: example?.title, value: example?.value },
  ])
  return { examples: Object.fromEntries(entries) }
}
