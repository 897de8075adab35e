// The specification's processing order: which of two faults of a request counts, and what a refusal looks like.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { bytesOf, headEnd, type Parts, statusesIn } from '../harness/raw-http.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()

interface Asked extends Parts {
  method: string
  path: string
}

interface Fault {
  name: string
  status: number
  /** What the log says of it. */
  reason: RegExp
  make(good: Asked): Asked
  /** Names of faults that cannot be in the same request. */
  never?: string[]
}

const good: Asked = { method: 'POST', path: '/center/add', body: '{"name": "Center"}' }

const faults: Fault[] = [
  {
    name: 'a method other than GET or POST',
    status: 405,
    reason: /neither GET nor POST/,
    make: asked => ({ ...asked, method: 'PUT' }),
    never: ['a method that the route does not allow'],
  },
  {
    name: 'a length over the limit',
    status: 413,
    reason: /longer than 131072 bytes/,
    make: asked => ({ ...asked, headers: { ...asked.headers, 'Content-Length': '200000' } }),
  },
  {
    name: 'a wrong token',
    status: 401,
    reason: /wrong or no token/,
    make: asked => ({ ...asked, headers: { ...asked.headers, Authorization: 'another' } }),
  },
  {
    name: 'a body that is not JSON',
    status: 404,
    reason: /the body is not JSON/,
    make: asked => ({ ...asked, body: '{"name": ' }),
    never: ['a missing payload'],
  },
  {
    name: 'a path without a route',
    status: 404,
    reason: /no route/,
    make: asked => ({ ...asked, path: '/nowhere' }),
    never: ['a method that the route does not allow'],
  },
  {
    name: 'a method that the route does not allow',
    status: 405,
    reason: /does not allow the method/,
    make: asked => ({ ...asked, method: 'GET' }),
  },
  {
    name: 'a missing payload',
    status: 400,
    reason: /the payload is missing/,
    make: asked => ({ ...asked, body: '' }),
  },
]

const ask = ({ method, path, headers, body = '' }: Asked, until?: RegExp) =>
  lab.raw(bytesOf(`${method} ${path}`, { headers: { ...headers }, body }), until)

const order = suite('processing order')

order('a request without a fault is served', async () => {
  equal(statusesIn(await ask(good)), [200])
})

for (const { name, status, reason, make } of faults) {
  order(`${name} is ${status}: one response without a body, and one line in the log`, async () => {
    const before = lab.log.length
    const text = await ask(make(good))
    equal(statusesIn(text), [status])
    match(text, /\r\nContent-Length: 0\r\n/)
    not.match(text, /\r\nAllow:/i)
    ok(text.endsWith('\r\n\r\n'), 'a body')
    is(lab.log.length, before + 1)
    match(lab.log.at(-1) ?? '', reason)
  })
}

for (const [index, first] of faults.entries()) {
  for (const second of faults.slice(index + 1).filter(({ name }) => !first.never?.includes(name))) {
    order(`${first.name} (${first.status}) counts before ${second.name} (${second.status})`, async () => {
      const before = lab.log.length
      equal(statusesIn(await ask(first.make(second.make(good)), headEnd)), [first.status])
      match(lab.log.slice(before).join(''), first.reason)
    })
  }
}

order('a refused request changes nothing', async () => {
  const { json } = await lab.call('GET /scopes')
  is(json.scope.length, 1)
})

order.run()

const log = suite('log')
log.after(() => lab.stop())

const refusals: [route: string, payload: unknown, status: number, reason: string][] = [
  ['GET /nowhere', undefined, 404, 'no route'],
  ['POST /clients', undefined, 400, 'the payload is missing'],
  ['POST /clients', '{', 404, 'the body is not JSON'],
  ['POST /clients', [], 400, 'payload: expected an object, got []'],
  ['POST /clients', {}, 400, 'payload: clients is missing'],
  ['POST /clients', { clients: [] }, 400, 'clients: expected at least 1, got []'],
  [
    'POST /clients',
    { clients: ['10.0.0.1', 'pc'] },
    400,
    'clients[1]: expected four numbers from 0 to 255 with dots between them, got "pc"',
  ],
  ['POST /wol', { clients: ['10.0.0.1'], type: 1 }, 400, 'type: expected a string, got 1'],
  ['GET /session', { client: ['10.0.0.1'], clint: 1 }, 400, 'payload: expected client, got unknown key "clint"'],
  ['GET /client/info', { client: ['10.0.0.1'] }, 400, 'client: there is no computer 10.0.0.1'],
  ['GET /scopes', {}, 400, 'a body is not allowed here'],
]

for (const [route, payload, status, reason] of refusals) {
  log(`${route}: ${reason}`, async () => {
    const before = lab.log.length
    const answer = await lab.call(route, payload)
    equal([answer.status, answer.text, answer.headers['content-length']], [status, '', '0'])
    is(lab.log.length, before + 1)
    const [, line] = /^\S+Z warn {2}rest: (.*)\n$/.exec(lab.log.at(-1) ?? '') ?? []
    is(line, `${route} from 127.0.0.1: ${status}, ${reason}`)
  })
}

log('a caller cannot forge a line of the log', async () => {
  const name = 'x\n2026 info daemon: forged\u2028'
  await lab.call('POST /center/add', { name })
  const before = lab.log.length
  is((await lab.call('POST /center/add', { name })).status, 400)
  is(lab.log.length, before + 1)
  match(lab.log.at(-1) ?? '', /^[^\n\u2028]*x\\u000a2026 info daemon: forged\\u2028 exists\n$/)
})

log('of a very long path the log keeps the beginning', async () => {
  await lab.call(`GET /nowhere${'x'.repeat(100_000)}`)
  ok((lab.log.at(-1)?.length ?? 0) < 500)
})

log.run()
