// Tries one command by what it declares: payloads that its schema forbids, and what reaches the agents of a good one.
import type { Test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Loaded } from '../../host/modules/registry.ts'
import type { Lab } from './test-host.ts'

/** Ways to break one part of a good payload; each of the payloads must be refused. */
export interface Break {
  what: string
  payloads: unknown[]
}

const field = (value: unknown, key: string): unknown => (value instanceof Object ? Reflect.get(value, key) : undefined)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): [string, unknown][] => (value instanceof Object ? Object.entries(value) : [])
const without = (value: unknown, keys: unknown[]) =>
  Object.fromEntries(entriesOf(value).filter(([key]) => !keys.includes(key)))

const addresses = { type: 'array', minItems: 1, items: { $ref: 'ipv4' } }

/** The schema pieces that commands name, with values that they refuse besides those of another type. */
const pieces = {
  clients: addresses,
  client: addresses,
  ipv4: { type: 'string', refused: ['', 'pc', '10.1.1', '10.1.1.256', '::1'] },
  id: { type: 'string', refused: ['', 'one', '-1', '1.5'] },
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

/** What a schema refuses in the place of a good value. */
function refusedBy(given: unknown, good: unknown): unknown[] {
  const schema = field(pieces, String(field(given, '$ref'))) ?? given
  const types = [field(schema, 'type') ?? []].flat()
  const allowed = types.includes('number') ? [...types, 'integer'] : types
  const minimum = field(schema, 'minimum')
  return [
    ...samples.filter(([type]) => allowed.length > 0 && !allowed.includes(type)).map(([, value]) => value),
    ...listOf(field(schema, 'refused')),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(field(schema, 'minLength') === undefined ? [] : ['']),
    ...(types.includes('array') ? refusedLists(schema, listOf(good)) : []),
    ...(types.includes('object') ? breaksOf(schema, good).flatMap(({ payloads }) => payloads) : []),
  ]
}

function refusedLists(schema: unknown, good: unknown[]): unknown[][] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = Object(schema)
  const elements = good.flatMap((element, index) =>
    refusedBy(Array.isArray(items) ? items[index] : items, element).map(wrong => good.with(index, wrong)),
  )
  const long = [...good, ...good]
  return [
    ...elements,
    ...(minItems > 0 ? [good.slice(0, minItems - 1)] : []),
    ...(long.length > maxItems ? [long] : []),
  ]
}

/** Each required key left out, each key with what its schema refuses. */
function breaksOf(schema: unknown, good: unknown): Break[] {
  const required = listOf(field(schema, 'required')).map(key => [key])
  const choice = listOf(field(schema, 'anyOf')).flatMap(one => listOf(field(one, 'required')))
  return [
    ...[...required, ...(choice.length > 0 ? [choice] : [])].map(keys => ({
      what: `without ${keys.join(' and ')}`,
      payloads: [without(good, keys)],
    })),
    ...entriesOf(field(schema, 'properties')).map(([key, property]) => ({
      what: `with a wrong ${key}`,
      payloads: refusedBy(property, field(good, key)).map(wrong => ({ ...Object(good), [key]: wrong })),
    })),
    ...(field(schema, 'additionalProperties') === false
      ? [{ what: 'with an unknown key', payloads: [{ ...Object(good), unknown: 1 }] }]
      : []),
  ]
}

/** What a command must refuse, derived from its schema and a payload that it takes. */
export function refusedPayloads(schema: object, good: unknown): Break[] {
  const whole = { what: 'that is no object', payloads: ['text', 7, true, null, [], [good]] }
  return [whole, ...breaksOf(schema, good)].filter(({ payloads }) => payloads.length > 0)
}

export interface Place {
  lab: Lab
  /** The address of a connected agent, which all refused payloads name. */
  bystander: string
  /** The start of addresses that only this command's agents have, as `127.1.1.`. */
  network: string
}

/** Adds the tests of one command to a suite. */
export function exercise(test: Test, loaded: Loaded, { lab, bystander, network }: Place): void {
  const { command, method, path } = loaded
  const { route, payload: schema, body, example, forward, open } = command
  const named = field(example, 'clients') === undefined ? {} : { clients: [bystander] }
  const good = example === undefined ? undefined : { ...example, ...named }

  const refused = async (status: number, asked: string, payload?: unknown, headers?: Record<string, string>) => {
    const json = payload === undefined ? undefined : JSON.stringify(payload)
    const sent = await sentDuring(lab, async () => {
      const answer = await lab.call(asked, json, headers)
      equal([asked, json, answer.status, answer.text], [asked, json, status, ''])
    })
    equal(sent, [])
  }

  const other = method === 'GET' ? 'POST' : 'GET'
  const taken = lab.host.commands().some(one => one.path === path && one.method === other)
  if (!taken) test(`${route}: ${other} is 405`, () => refused(405, `${other} ${path}`, good))
  if (open !== true)
    test(`${route}: a wrong token is 401`, () => refused(401, route, good, { Authorization: 'another' }))
  if (body === 'none') test(`${route}: a body is 400`, () => refused(400, route, {}))
  if (schema && body !== 'optional') test(`${route}: no payload is 400`, () => refused(400, route))
  for (const { what, payloads } of schema ? refusedPayloads(schema, good) : []) {
    test(`${route}: a payload ${what} is 400, nothing is sent or stored`, async () => {
      const before = await stored(lab)
      for (const payload of payloads) await refused(400, route, payload)
      equal(await stored(lab), before)
    })
  }
  if (forward) test(`${route}: goes as ${forward.to} to who is free`, () => forwards(loaded, lab, network))
  else test(`${route}: its example is understood, nothing is sent`, () => understands(loaded, lab, good))
}

const stored = async (lab: Lab) => [(await lab.call('GET /scopes')).text, (await lab.call('GET /repositories')).text]

/** The commands that agents are sent while something is done. */
async function sentDuring(lab: Lab, work: () => Promise<void>): Promise<string[]> {
  const sent: string[] = []
  const off = lab.host.events.on(event => {
    if (event.type === 'command-sent') sent.push(event.command)
  })
  await work()
  off()
  return sent
}

/** What an example names need not be there, and a query that the route asks for is not. */
async function understands({ command: { route, payload } }: Loaded, lab: Lab, good: unknown): Promise<void> {
  const sent = await sentDuring(lab, async () => {
    const { status } = await lab.call(route, payload && good)
    const asks = payload !== undefined || /: 400, \?/.test(lab.log.at(-1) ?? '')
    ok(status === 200 || (status === 400 && asks), `${status}: ${lab.log.at(-1)}`)
  })
  equal(sent, [])
}

/** A free agent receives the payload less `clients`; unknown and offline addresses and busy clients are skipped. */
async function forwards({ command }: Loaded, lab: Lab, network: string): Promise<void> {
  const { route, example, forward } = command
  const [free, busy] = await Promise.all([lab.agent(`${network}2`), lab.agent(`${network}3`)])
  await lab.addComputer(`${network}4`)
  await lab.call('POST /shell/run', { clients: [busy.addr], run: 'sleep 1000', echo: false })
  await busy.next('/shell/run')
  const clients = [`${network}4`, `${network}5`, busy.addr, free.addr]
  const { status, text } = await lab.call(route, { ...Object(example), clients })
  equal([status, text], [200, ''])

  const { method, path, body } = await free.next()
  equal(`${method} ${path}`, forward?.to)
  equal(body, forward?.body === 'none' ? undefined : bodyOf(example))
  await Promise.all([free.close(), busy.close()])
  // Whatever was sent has come, now that the connections are closed.
  const received = busy.requests.map(request => `${request.method} ${request.path}`)
  equal(received, ['GET /refresh', 'POST /shell/run', ...(forward?.whileBusy ? [forward.to] : [])])
  is(free.requests.length, 2)
}

/** What is forwarded of a payload; an object that is left empty is sent as no body. */
function bodyOf(payload: unknown): object | undefined {
  const body = without(payload, ['clients'])
  return Object.keys(body).length === 0 ? undefined : body
}
