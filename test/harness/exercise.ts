// Derives tests of one command from its declaration: requests that it must refuse, and what its agents receive.
import type { Test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { payloadExample } from '../../host/api-docs/answer-example.ts'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import type { TestHost } from './test-host.ts'

/** Payloads with one error; the command must refuse each of them. */
export interface InvalidPayloads {
  description: string
  payloads: unknown[]
}

const field = (value: unknown, key: string): unknown => (value instanceof Object ? Reflect.get(value, key) : undefined)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): [string, unknown][] => (value instanceof Object ? Object.entries(value) : [])
const numberOf = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)
const without = (value: unknown, keys: unknown[]) =>
  Object.fromEntries(entriesOf(value).filter(([key]) => !keys.includes(key)))

const addresses = { type: 'array', minItems: 1, items: { $ref: 'ipv4' } }

/** The common schemas, with invalid values of the right type. */
const commonSchemas = {
  clients: addresses,
  client: addresses,
  ipv4: { type: 'string', invalid: ['', 'pc', '10.1.1', '10.1.1.256', '::1'] },
  id: { type: 'string', invalid: ['', 'one', '-1', '1.5'] },
  place: { type: 'string', invalid: ['', 'one', '-1', '1.5', '10000'] },
}

/** One value of each type that JSON has. */
const samples: [type: string, value: unknown][] = [
  ['string', 'text'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['null', null],
  ['array', []],
  ['object', {}],
]

/** Returns values that do not match a schema; `good` is one that does. */
function invalidValues(declared: unknown, good: unknown): unknown[] {
  const schema = field(commonSchemas, String(field(declared, '$ref'))) ?? declared
  const types = [field(schema, 'type') ?? []].flat()
  const allowed = types.includes('number') ? [...types, 'integer'] : types
  const minimum = field(schema, 'minimum')
  return [
    ...samples.filter(([type]) => allowed.length > 0 && !allowed.includes(type)).map(([, value]) => value),
    ...listOf(field(schema, 'invalid')),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(field(schema, 'minLength') === undefined ? [] : ['']),
    ...(types.includes('array') ? invalidLists(schema, listOf(good)) : []),
    ...(types.includes('object') ? invalidPayloadsOf(schema, good).flatMap(({ payloads }) => payloads) : []),
  ]
}

function invalidLists(schema: unknown, good: unknown[]): unknown[][] {
  const minItems = numberOf(field(schema, 'minItems'), 0)
  const maxItems = numberOf(field(schema, 'maxItems'), Number.POSITIVE_INFINITY)
  const items = field(schema, 'items')
  const elements = good.flatMap((element, index) =>
    invalidValues(Array.isArray(items) ? items[index] : items, element).map(invalid => good.with(index, invalid)),
  )
  const twice = [...good, ...good]
  return [
    ...elements,
    ...(minItems > 0 ? [good.slice(0, minItems - 1)] : []),
    ...(twice.length > maxItems ? [twice] : []),
  ]
}

/** Leaves out each required key, and gives each key invalid values. */
function invalidPayloadsOf(schema: unknown, good: unknown): InvalidPayloads[] {
  const required = listOf(field(schema, 'required')).map(key => [key])
  const choice = listOf(field(schema, 'anyOf')).flatMap(option => listOf(field(option, 'required')))
  return [
    ...[...required, ...(choice.length > 0 ? [choice] : [])].map(keys => ({
      description: `without ${keys.join(' and ')}`,
      payloads: [without(good, keys)],
    })),
    ...entriesOf(field(schema, 'properties')).map(([key, property]) => ({
      description: `with an invalid ${key}`,
      payloads: invalidValues(property, field(good, key)).map(invalid => ({ ...without(good, []), [key]: invalid })),
    })),
    ...(field(schema, 'additionalProperties') === false
      ? [{ description: 'with an unknown key', payloads: [{ ...without(good, []), unknown: 1 }] }]
      : []),
  ]
}

/** Returns what a command must refuse, derived from its schema and from a payload that it accepts. */
export function refusedPayloads(schema: object, good: unknown): InvalidPayloads[] {
  const notAnObject = { description: 'that is not an object', payloads: ['text', 7, true, null, [], [good]] }
  return [notAnObject, ...invalidPayloadsOf(schema, good)].filter(({ payloads }) => payloads.length > 0)
}

export interface ExerciseContext {
  lab: TestHost
  /** The address of a connected agent, which all refused payloads list. */
  bystander: string
  /** The first three bytes of addresses that only this command's agents use, as `127.1.1.`. */
  network: string
}

/** Adds the tests of one command to a suite. */
export function exercise(test: Test, loaded: LoadedCommand, { lab, bystander, network }: ExerciseContext): void {
  const { command, method, path } = loaded
  const { route, payload: schema, body, forward, access } = command
  const example = payloadExample(command)
  const clients = field(example, 'clients') === undefined ? {} : { clients: [bystander] }
  const good = example === undefined ? undefined : { ...example, ...clients }

  const refused = async (status: number, requested: string, payload?: unknown, headers?: Record<string, string>) => {
    const json = payload === undefined ? undefined : JSON.stringify(payload)
    const sent = await sentDuring(lab, async () => {
      const response = await lab.call(requested, json, headers)
      equal([requested, json, response.status, response.text], [requested, json, status, ''])
    })
    equal(sent, [])
  }

  const otherMethod = method === 'GET' ? 'POST' : 'GET'
  const isServed = lab.host.registry.commands.some(each => each.path === path && each.method === otherMethod)
  if (!isServed) test(`${route}: ${otherMethod} is 405`, () => refused(405, `${otherMethod} ${path}`, good))
  if (access !== 'none')
    test(`${route}: a wrong token is 401`, () => refused(401, route, good, { Authorization: 'another' }))
  if (body === 'none') test(`${route}: a body is 400`, () => refused(400, route, {}))
  if (schema && body !== 'optional') test(`${route}: no payload is 400`, () => refused(400, route))
  for (const { description, payloads } of schema ? refusedPayloads(schema, good) : []) {
    test(`${route}: a payload ${description} is 400, nothing is sent or stored`, async () => {
      const before = await storedRecords(lab)
      for (const payload of payloads) await refused(400, route, payload)
      equal(await storedRecords(lab), before)
    })
  }
  if (forward) test(`${route}: is sent as ${forward.to} to free clients`, () => testForward(loaded, lab, network))
  else test(`${route}: its example is accepted, nothing is sent`, () => testExample(loaded, lab, good))
}

const storedRecords = async (lab: TestHost) => [
  (await lab.call('GET /scopes')).text,
  (await lab.call('GET /repositories')).text,
]

/** Returns the commands that the daemon sends to agents during `work`. */
async function sentDuring(lab: TestHost, work: () => Promise<void>): Promise<string[]> {
  const sent: string[] = []
  const unsubscribe = lab.host.events.on(event => {
    if (event.type === 'command-sent') sent.push(event.command)
  })
  await work()
  unsubscribe()
  return sent
}

/** 400 is allowed: the records of the example may not exist, and a required query is missing. */
async function testExample(
  { access, command: { route, payload } }: LoadedCommand,
  lab: TestHost,
  good: unknown,
): Promise<void> {
  const sent = await sentDuring(lab, async () => {
    const { status } = await lab.call(route, payload && good)
    const mayRefuse = payload !== undefined || /: 400, \?/.test(lab.log.at(-1) ?? '')
    // The user of its example, or the file, does not exist.
    const mayNotKnow = access === 'none' && (status === 401 || status === 404)
    ok(status === 200 || (status === 400 && mayRefuse) || mayNotKnow, `${status}: ${lab.log.at(-1)}`)
  })
  equal(sent, [])
}

/** What a command adds to the payload that it sends, by its route. */
const addedKeys: Record<string, string[]> = {
  'POST /agent/update': ['path', 'port', 'tls', 'sha256', 'size', 'version'],
}

/** What only agents receive that know it: these here do not. */
const extensionKeys: Record<string, string[]> = { 'POST /shell/run': ['timeout', 'end_at'] }

/** Commands that send a script instead of their payload. */
const scripted = ['POST /cache/delete', 'POST /cache/fetch', 'POST /cache/list']

/** A free agent receives the payload without `clients`; unknown, offline and busy clients are skipped. */
async function testForward({ command }: LoadedCommand, lab: TestHost, network: string): Promise<void> {
  const { route, forward } = command
  const example = payloadExample(command)
  const [free, busy] = await Promise.all([lab.agent(`${network}2`), lab.agent(`${network}3`)])
  await lab.addComputer(`${network}4`)
  await lab.call('POST /shell/run', { clients: [busy.addr], run: 'sleep 1000', echo: false })
  await busy.next('/shell/run')
  const clients = [`${network}4`, `${network}5`, busy.addr, free.addr]
  const { status, text } = await lab.call(route, { ...without(example, []), clients })
  equal([status, text], [200, ''])

  const { method, path, body } = await free.next()
  equal(`${method} ${path}`, forward?.to)
  const added = addedKeys[route]
  const own = added ? bodyOf(without(body, added)) : body
  if (scripted.includes(route))
    equal(
      entriesOf(body).map(([key]) => key),
      ['run', 'echo'],
    )
  else equal(own, forward?.body === 'none' ? undefined : bodyOf(without(example, extensionKeys[route] ?? [])))
  await Promise.all([free.close(), busy.close()])
  // The connections are closed: all requests have arrived.
  const received = busy.requests.map(request => `${request.method} ${request.path}`)
  equal(received, ['GET /refresh', 'POST /shell/run', ...(forward?.whileBusy ? [forward.to] : [])])
  is(free.requests.length, 2)
}

/** Returns the expected body: the payload without `clients`; an empty object is sent as no body. */
function bodyOf(payload: unknown): object | undefined {
  const body = without(payload, ['clients'])
  return Object.keys(body).length === 0 ? undefined : body
}
