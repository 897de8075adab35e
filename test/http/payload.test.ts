// General rules of payloads: when a body is required, what `clients` may contain, which keys are ignored.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { bytesOf, chunked, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('payloads')
test.after(() => lab.stop())

const statusOf = async (route: string, payload?: unknown) => (await lab.call(route, payload)).status

test('a route without a payload accepts any JSON body, or none', async () => {
  for (const payload of [undefined, {}, [], null, 1, { more: true }]) is(await statusOf('GET /clients', payload), 200)
})

for (const route of ['GET /scopes', 'GET /images', 'GET /repositories']) {
  test(`a body on ${route} is 400`, async () => {
    is(await statusOf(route), 200)
    for (const payload of [{}, [], null]) is(await statusOf(route, payload), 400)
  })
}

const notJson = {
  'a word': 'hello',
  'half an object': '{"clients": [',
  'an object followed by more text': '{"clients": ["10.0.0.1"]} x',
  'spaces only': '  \r\n ',
  'a single NUL': '\0',
  'single quotes': "{'clients': ['10.0.0.1']}",
  'a trailing comma': '{"clients": ["10.0.0.1"],}',
  'bytes that are not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
}
for (const [name, body] of Object.entries(notJson)) {
  test(`a body that is not JSON is 404 on every path: ${name}`, async () => {
    for (const route of ['GET /clients', 'POST /clients', 'GET /scopes', 'GET /nowhere'])
      is(await statusOf(route, body), 404)
  })
}

for (const payload of [null, [], 1, 'x', true, [{ clients: ['10.0.0.1'] }]]) {
  test(`JSON that is not an object is 400: ${JSON.stringify(payload)}`, async () => {
    const json = JSON.stringify(payload)
    for (const route of ['POST /clients', 'GET /session', 'POST /client/add']) is(await statusOf(route, json), 400)
  })
}

for (const key of ['clients', 'client']) {
  const send = (value: unknown) =>
    key === 'clients' ? statusOf('POST /shell/output', { clients: value }) : statusOf('GET /session', { client: value })

  test(`${key} must be a list of at least one IPv4 address`, async () => {
    is(await send(['10.0.0.1']), 200)
    is(await send(['0.0.0.0', '255.255.255.255']), 200)
    for (const value of [[], '10.0.0.1', {}, null, 1]) is(await send(value), 400, JSON.stringify(value))
  })

  const invalid = [
    '',
    'pc',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.1.2',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '10.0.0.01',
    '::1',
    '0x7f.1',
  ]
  test(`an element of ${key} that is not a dotted IPv4 address is 400`, async () => {
    for (const one of [...invalid, 1, null, ['10.0.0.1']]) {
      is(await send([one]), 400, JSON.stringify(one))
      is(await send(['10.0.0.1', one]), 400, JSON.stringify(one))
    }
  })
}

test('repeated addresses in clients count once', async () => {
  const agent = await lab.agent('127.0.0.2')
  const clients = ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.2']
  is(await statusOf('POST /reboot', { clients }), 200)
  await agent.next('/reboot')
  const { json } = await lab.call('POST /shell/output', { clients })
  equal(json, { clients: [{ addr: '127.0.0.2', output: '' }] })
  await agent.close()
  equal(
    agent.requests.map(({ path }) => path),
    ['/refresh', '/reboot'],
  )
})

test('unknown keys are ignored', async () => {
  const odd = '{"name": "Center", "colour": "red", "id": 7, "__proto__": {"comment": 1}, "constructor": null}'
  is(await statusOf('POST /center/add', odd), 200)
  equal((await lab.call('GET /scopes')).json, { scope: [{ name: 'Center', type: 'center', id: 1, scope: [] }] })
})

test('a key other than client is 400 for GET /session', async () => {
  is(await statusOf('GET /session', { client: ['10.0.0.1'], disk: 1 }), 400)
  is(await statusOf('GET /session', { clients: ['10.0.0.1'] }), 400)
})

for (const [form, deep] of Object.entries({
  lists: (levels: number) => '['.repeat(levels) + ']'.repeat(levels),
  objects: (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`,
})) {
  test(`a body that is nested more than 100 levels deep is 400 on every route: ${form}`, async () => {
    is(await statusOf('GET /clients', deep(100)), 200)
    for (const levels of [101, 4106, 20_000]) {
      for (const route of ['GET /clients', 'POST /shell/run']) is(await statusOf(route, deep(levels)), 400)
      const steps = `{"center": "1", "name": "Deep", "steps": [{"command": "x", "params": ${deep(levels)}}]}`
      const before = lab.log.length
      is(await statusOf('POST /procedure/add', steps), 400)
      // Also as the last one of those that are only counted.
      const reason = /POST \/procedure\/add .*400, payload: expected at most 100 levels, got more/
      await pollUntil(() => lab.log.slice(before).some(line => reason.test(line)))
    }
    equal((await lab.call('GET /procedures')).json, { procedures: [] })
  })
}

test('every response with a body forbids browsers to take it for another type', async () => {
  for (const route of [
    'GET /clients',
    'GET /docs',
    'GET /metrics',
    'GET /healthz',
    'GET /events',
    'GET /openapi.json',
  ]) {
    const { status, headers } = await lab.call(route)
    equal([route, status, headers['x-content-type-options']], [route, 200, 'nosniff'])
  }
})

test('a chunked body is read like a body with a length', async () => {
  const headers = { 'Transfer-Encoding': 'chunked' }
  const add = (name: string) => bytesOf('POST /center/add', { headers, body: chunked('{"na', `me": "${name}"`, '}') })
  equal(statusesIn(await lab.raw(add('Chunked'))), [200])
  equal(statusesIn(await lab.raw(add('Chunked'))), [400])
  equal(statusesIn(await lab.raw(bytesOf('POST /clients', { headers, body: chunked() }))), [400])
  equal(statusesIn(await lab.raw(bytesOf('POST /clients', { headers, body: chunked('{') }))), [404])
})

test('Content-Type is not required, and every value is accepted', async () => {
  for (const [index, type] of ['', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'].entries()) {
    const { status } = await lab.call('POST /center/add', { name: `Center ${index}` }, { 'Content-Type': type })
    is(status, 200)
  }
})

test('the response to a successful write is 200 with Content-Length: 0 and no body', async () => {
  const { status, headers, text } = await lab.call('POST /center/add', { name: 'Another' })
  equal([status, headers['content-length'], headers['transfer-encoding'], text], [200, '0', undefined, ''])
})

test('the response to a read is 200 with Content-Length and a JSON body', async () => {
  const { status, headers, text } = await lab.call('GET /scopes')
  equal([status, headers['content-length']], [200, String(Buffer.byteLength(text))])
  is(headers['content-type'], 'application/json')
})

test.run()
