// The processing order of the specification: which of two faults decides the response, and how refusals are logged.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { bytesOf, endOfHead, type RawRequest, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()

interface TestRequest extends RawRequest {
  method: string
  path: string
}

interface Fault {
  name: string
  status: number
  /** Matches the line in the log. */
  reason: RegExp
  addTo(request: TestRequest): TestRequest
  /** Names of faults that cannot occur in the same request. */
  excludes?: string[]
}

const good: TestRequest = { method: 'POST', path: '/center/add', body: '{"name": "Center"}' }

const faults: Fault[] = [
  {
    name: 'a method other than GET or POST',
    status: 405,
    reason: /neither GET nor POST/,
    addTo: request => ({ ...request, method: 'PUT' }),
    excludes: ['a method that the route does not allow'],
  },
  {
    name: 'a length over the limit',
    status: 413,
    reason: /longer than 131072 bytes/,
    addTo: request => ({ ...request, headers: { ...request.headers, 'Content-Length': '200000' } }),
  },
  {
    name: 'a missing token',
    status: 401,
    reason: /no token/,
    addTo: request => ({ ...request, headers: { ...request.headers, Authorization: undefined } }),
  },
  {
    name: 'a body that is not JSON',
    status: 404,
    reason: /the body is not JSON/,
    addTo: request => ({ ...request, body: '{"name": ' }),
    excludes: ['a missing payload'],
  },
  {
    name: 'a path without a route',
    status: 404,
    reason: /no route/,
    addTo: request => ({ ...request, path: '/nowhere' }),
    excludes: ['a method that the route does not allow'],
  },
  {
    name: 'a method that the route does not allow',
    status: 405,
    reason: /does not allow the method/,
    addTo: request => ({ ...request, method: 'GET' }),
  },
  {
    name: 'a missing payload',
    status: 400,
    reason: /payload: expected a JSON object, got no body/,
    addTo: request => ({ ...request, body: '' }),
  },
]

const send = ({ method, path, headers, body = '' }: TestRequest, until?: RegExp) =>
  lab.raw(bytesOf(`${method} ${path}`, { headers: { ...headers }, body }), until)

const processing = suite('processing order')

processing('a request without a fault is served', async () => {
  equal(statusesIn(await send(good)), [200])
})

for (const { name, status, reason, addTo } of faults) {
  processing(`${name} is ${status}: one response without a body, and one line in the log`, async () => {
    const before = lab.log.length
    const text = await send(addTo(good))
    equal(statusesIn(text), [status])
    match(text, /\r\nContent-Length: 0\r\n/)
    not.match(text, /\r\nAllow:/i)
    ok(text.endsWith('\r\n\r\n'), 'a body')
    is(lab.log.length, before + 1)
    match(lab.log.at(-1) ?? '', reason)
  })
}

for (const [index, first] of faults.entries()) {
  for (const second of faults.slice(index + 1).filter(({ name }) => !first.excludes?.includes(name))) {
    processing(`${first.name} (${first.status}) is reported before ${second.name} (${second.status})`, async () => {
      const before = lab.log.length
      equal(statusesIn(await send(first.addTo(second.addTo(good)), endOfHead)), [first.status])
      match(lab.log.slice(before).join(''), first.reason)
    })
  }
}

processing('a refused request changes nothing', async () => {
  const { json } = await lab.call('GET /scopes')
  is(json.scope.length, 1)
})

processing.run()

const log = suite('log of refusals')
log.after(() => lab.stop())

const refusals: [route: string, payload: unknown, status: number, reason: string][] = [
  ['GET /nowhere', undefined, 404, 'no route'],
  ['POST /clients', undefined, 400, 'payload: expected a JSON object, got no body'],
  ['POST /clients', '{', 404, 'the body is not JSON'],
  ['POST /clients', [], 400, 'payload: expected an object, got []'],
  ['POST /clients', {}, 400, 'payload: clients is missing'],
  ['POST /clients', { clients: [] }, 400, 'clients: expected at least 1 element, got []'],
  [
    'POST /clients',
    { clients: ['10.0.0.1', 'pc'] },
    400,
    'clients[1]: expected four numbers from 0 to 255 with dots between them, got "pc"',
  ],
  ['POST /wol', { clients: ['10.0.0.1'], type: 1 }, 400, 'type: expected a string, got 1'],
  ['GET /session', { client: ['10.0.0.1'], clint: 1 }, 400, 'payload: expected client, got unknown key "clint"'],
  ['GET /client/info', { client: ['10.0.0.1'] }, 400, 'client: there is no computer 10.0.0.1'],
  ['GET /scopes', {}, 400, 'body: expected none, got one'],
]

for (const [route, payload, status, reason] of refusals) {
  log(`the reason of a refusal is logged: ${route}: ${reason}`, async () => {
    const before = lab.log.length
    const answer = await lab.call(route, payload)
    equal([answer.status, answer.text, answer.headers['content-length']], [status, '', '0'])
    is(lab.log.length, before + 1)
    const [, line] = /^\S+Z warn {2}rest: (.*)\n$/.exec(lab.log.at(-1) ?? '') ?? []
    is(line, `${route} from 127.0.0.1: ${status}, ${reason}`)
  })
}

log('a caller cannot insert a line into the log', async () => {
  const name = 'x\n2026 info daemon: forged\u2028'
  await lab.call('POST /center/add', { name })
  const before = lab.log.length
  is((await lab.call('POST /center/add', { name })).status, 400)
  is(lab.log.length, before + 1)
  match(lab.log.at(-1) ?? '', /^[^\n\u2028]*x\\u000a2026 info daemon: forged\\u2028 exists\n$/)
})

log('a log line contains the beginning of a very long path', async () => {
  await lab.call(`GET /nowhere${'x'.repeat(100_000)}`)
  ok((lab.log.at(-1)?.length ?? 0) < 500)
})

log.run()
