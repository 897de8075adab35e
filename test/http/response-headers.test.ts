// The headers with the reason of a refusal, and with the id of what was added.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startSite } from '../harness/site-folder.ts'
import { token } from '../harness/test-host.ts'

const site = await startSite()
const { lab } = site

const reasonOf = async (route: string, payload?: unknown, headers?: Record<string, string>) => {
  const response = await lab.call(route, payload, headers)
  return [response.status, response.headers['x-reason'], response.text]
}

const reasons = suite('X-Reason')

reasons('a refusal has its reason in a header, and an empty body', async () => {
  equal(await reasonOf('POST /wol'), [400, 'payload: expected a JSON object, got no body', ''])
  equal(await reasonOf('POST /task/run', { task: '99' }), [400, 'there is no task 99', ''])
  equal(await reasonOf('GET /nowhere'), [404, 'no route', ''])
  equal(await reasonOf('GET /wol'), [405, 'the route does not allow the method', ''])
  equal(await reasonOf('POST /wol', '{'), [404, 'the body is not JSON', ''])
})

reasons('a refusal before the token is judged has its reason, too, when the token is right', async () => {
  equal(await reasonOf('PUT /wol'), [405, 'neither GET nor POST', ''])
  equal(await reasonOf('POST /wol', 'x'.repeat(131_072)), [413, 'longer than 131072 bytes', ''])
  const foreign = { Origin: 'http://other.example' }
  equal(await reasonOf('POST /wol', {}, { ...foreign, Authorization: token }), [
    403,
    'sent by a page of another origin',
    '',
  ])
  equal(await reasonOf('POST /wol', {}, { ...foreign, Authorization: 'another' }), [403, undefined, ''])
})

reasons('the reason of a site command is one line of at most 500 printable ASCII characters', async () => {
  const answer = '({ payload, services }) => services.refuse(payload.text)'
  await site.save(
    'deny.ts',
    `export default { summary: 'Deny', route: 'POST /deny', payload: { type: 'object' }, answer: ${answer} }\n`,
  )
  equal(await reasonOf('POST /deny', { text: 'aula: ñ\r\nX-Id: 5\0~' }), [400, 'aula: ???X-Id: 5?~', ''])
  equal(await reasonOf('POST /deny', { text: 'x'.repeat(501) }), [400, 'x'.repeat(500), ''])
})

reasons('a caller without the right token gets no reason', async () => {
  equal(await reasonOf('POST /wol', {}, { Authorization: 'another' }), [401, undefined, ''])
  equal(await reasonOf('POST /nowhere', {}, { Authorization: '' }), [401, undefined, ''])
  equal(await reasonOf('PUT /wol', {}, { Authorization: 'another' }), [405, undefined, ''])
  // Served without a token: the refusal of a query names nothing either.
  equal(await reasonOf('GET /healthzX', undefined, { Authorization: '' }), [401, undefined, ''])
})

/** Of a request by `fetch`, which decompresses. */
async function fetched(path: string, accepted: string) {
  const headers = { Authorization: token, 'Accept-Encoding': accepted }
  const response = await fetch(`http://127.0.0.1:${lab.host.ports.rest}${path}`, { headers })
  const [coding, vary, length] = ['Content-Encoding', 'Vary', 'Content-Length'].map(name => response.headers.get(name))
  return { coding, vary, length: Number(length), text: await response.text() }
}

reasons('a long text is compressed for a caller that accepts gzip, and is the same text', async () => {
  for (const path of ['/modules', '/openapi.json']) {
    const plain = await fetched(path, 'identity')
    equal([plain.coding, plain.vary], [null, 'Accept-Encoding'])
    for (const accepted of ['gzip; q=0, br', 'xgzip']) equal(await fetched(path, accepted), plain)
    const { length, ...compressed } = await fetched(path, 'br, GZIP;q=0.5')
    equal(compressed, { coding: 'gzip', vary: 'Accept-Encoding', text: plain.text })
    ok(length < plain.length / 3)
  }
  const { coding, vary } = await fetched('/mode', 'gzip')
  equal([coding, vary], [null, null])
})

reasons('a bug has a reason that says nothing of it, and a success has none', async () => {
  await site.save(
    'bug.ts',
    "export default { summary: 'Bug', route: 'GET /bug', answer() { throw new Error('no') } }\n",
  )
  equal(await reasonOf('GET /bug'), [500, 'an error of the daemon, which its log describes', ''])
  equal((await reasonOf('GET /clients')).slice(0, 2), [200, undefined])
})

reasons.run()

const ids = suite('X-Id')
ids.after(() => site.stop())

ids('what was added has its id in a header', async () => {
  const added = async (route: string, payload: object) => {
    const { status, headers, text } = await lab.call(route, payload)
    equal([status, text], [200, ''], lab.log.at(-1))
    return headers['x-id']
  }
  const center = { center: '1' }
  const when = { years: 1, months: 1, weeks: 0, week_days: 0, days: 1, hours: 1, am_pm: 0, minutes: 0 }
  is(await added('POST /center/add', { name: 'A' }), '1')
  is(await added('POST /room/add', { name: 'A', netmask: '255.255.255.0', center: 1 }), '1')
  is(await added('POST /room/add', { name: 'B', netmask: '255.255.255.0', center: 1 }), '2')
  is(await added('POST /client/add', { name: 'a', ip: '10.1.1.1', mac: '001122334455', room: 2 }), '1')
  is(await added('POST /repository/add', { name: 'B', ip: '10.1.1.2' }), '2')
  is(await added('POST /procedure/add', { ...center, name: 'A' }), '1')
  is(await added('POST /task/add', { ...center, name: 'A' }), '1')
  is(await added('POST /schedule/create', { task: '1', name: 'A', type: 'task', when }), '1')
  is(await added('POST /schedule/command', { clients: ['10.1.1.1'], command: 'wol', params: { type: '1' }, when }), '2')
})

ids('a refused request has no id', async () => {
  const { status, headers } = await lab.call('POST /center/add', { name: 'A' })
  equal([status, headers['x-id']], [400, undefined])
  match(String(headers['x-reason']), /^name: center A exists$/)
})

ids.run()
