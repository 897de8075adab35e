// GETs that take a body also take it as a query.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'

const site = await startSite()
const { lab } = site
await lab.addComputer('127.0.0.2')
const test = suite('payload in the query')
test.after(() => site.stop())

const read = async (route: string, payload?: unknown) => {
  const { status, json, headers } = await lab.call(route, payload)
  return [status, json ?? headers['x-reason']]
}

for (const [query, path, payload] of [
  ['client=127.0.0.2', '/client/info', { client: ['127.0.0.2'] }],
  ['client=127.0.0.2&disk=1&partition=2', '/software', { client: ['127.0.0.2'], disk: 1, partition: 2 }],
  ['client=127.0.0.2,127.0.0.3', '/hardware', { client: ['127.0.0.2', '127.0.0.3'] }],
  ['clients=127.0.0.2&mode=pxe', '/mode/preview', { clients: ['127.0.0.2'], mode: 'pxe' }],
  ['room=1', '/room/info', { room: 1 }],
  // What a body refuses, a query refuses too.
  ['client=127.0.0.2&client=127.0.0.3', '/client/info', { client: ['127.0.0.2', '127.0.0.3'] }],
  ['client=127.0.0.2&disk=one&partition=2', '/software', { client: ['127.0.0.2'], disk: 'one', partition: 2 }],
  ['client=127.0.0.2&other=1', '/session', { client: ['127.0.0.2'], other: '1' }],
  ['client=pc', '/hardware', { client: ['pc'] }],
] as const) {
  test(`GET ${path}?${query} answers as with a body`, async () => {
    equal(await read(`GET ${path}?${query}`), await read(`GET ${path}`, payload))
  })
}

test('without a body and without a query the request is refused as before', async () => {
  equal(await read('GET /hardware'), [400, 'payload: expected a JSON object, got no body'])
  equal(await read('GET /hardware?'), [400, 'payload: expected a JSON object, got no body'])
})

test('a body has precedence, and a POST takes no payload from its query', async () => {
  equal(
    await read('GET /client/info?client=127.0.0.9', { client: ['127.0.0.2'] }),
    await read('GET /client/info?client=127.0.0.2'),
  )
  equal(await read('POST /hardware?clients=127.0.0.2'), [400, 'payload: expected a JSON object, got no body'])
})

test('keys of the query schema of a site command are no payload', async () => {
  const payload =
    "{ type: 'object', properties: { flag: { type: 'boolean' }, list: { type: 'array', items: { type: 'number' } } } }"
  const query = "{ type: 'object', properties: { page: { type: 'string' } } }"
  const answer = '({ payload, request }) => ({ payload, page: request.query.page })'
  await site.save(
    'both.ts',
    `export default { summary: 'Both', route: 'GET /both', payload: ${payload}, query: ${query}, answer: ${answer} }\n`,
  )
  equal(await read('GET /both?flag=true&list=1,2&list=-3&page=4&more=5&__proto__=6'), [
    200,
    { payload: JSON.parse('{"flag":true,"list":[1,2,-3],"more":"5","__proto__":"6"}'), page: '4' },
  ])
  equal(await read('GET /both?page=4'), [400, 'payload: expected a JSON object, got no body'])
})

test.run()
