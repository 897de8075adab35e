// POST /login with a token: a session whose rights are those of the token.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { token as apiToken, startTestHost } from '../harness/test-host.ts'

const clock = createManualClock()
const lab = await startTestHost({ clock, options: { store: { adapter: 'lowdb', path: './data' } } })
await lab.addComputer('127.0.0.2')
const nobody = { Authorization: '' }
const seconds = () => Math.floor(clock.now() / 1000)

const login = (token: unknown, headers = {}) => lab.call('POST /login', { token }, { ...nobody, ...headers })
const me = (Cookie: string) => lab.call('GET /me', undefined, { ...nobody, Cookie })
async function cookieOf(token: string): Promise<string> {
  const { status, headers } = await login(token)
  is(status, 200, lab.log.at(-1))
  return String(headers['set-cookie']).replace(/;.*/, '')
}
async function addToken(fields: object): Promise<{ id: string; token: string; cookie: string }> {
  const { json } = await lab.call('POST /token/add', { role: 'operate', ...fields })
  return { id: String(json.id), token: json.token, cookie: await cookieOf(json.token) }
}
const update = (id: string, change: object) => lab.call('POST /token/update', { id, ...change })

const test = suite('login with a token')
test.after(() => lab.stop())

test('the API token opens a session of admin, with the cookie of a user', async () => {
  const { status, json, headers } = await login(apiToken)
  equal([status, json], [200, { name: 'admin', role: 'admin', centers: [], rooms: [], version }])
  match(String(headers['set-cookie']), /^fleet_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  const Cookie = String(headers['set-cookie']).replace(/;.*/, '')
  const { last_event_id: _, ...caller } = (await me(Cookie)).json
  equal(caller, json)
  is((await lab.call('GET /tokens', undefined, { ...nobody, Cookie })).status, 200)
  await lab.call('POST /logout', undefined, { ...nobody, Cookie })
  is((await me(Cookie)).status, 401)
})

test('a name for which no session counts gets none: 403, whatever the credentials are', async () => {
  for (const text of [apiToken, 'wrong']) {
    const { status, headers } = await login(text, { Host: 'fleet.example.org' })
    equal([status, headers['set-cookie']], [403, undefined])
  }
  await lab.logged(/POST \/login from 127\.0\.0\.1: 403, a session needs a Host that is an address, localhost or in/)
})

test('a named token opens a session with its role and rooms, as they are at each request', async () => {
  const { id, cookie } = await addToken({ name: 'lab', rooms: [1] })
  const { last_event_id: _, ...caller } = (await me(cookie)).json
  equal(caller, { name: 'token lab', role: 'operate', centers: [], rooms: [1], version })
  await update(id, { role: 'read' })
  is((await me(cookie)).json.role, 'read')
  const payload = { clients: ['127.0.0.2'], run: 'id', echo: false }
  is((await lab.call('POST /shell/run', payload, { ...nobody, Cookie: cookie })).status, 403)
})

test('disabling, deleting and the expiry of a token end its sessions, also when it is valid again', async () => {
  const disabled = await addToken({ name: 'disabled' })
  await update(disabled.id, { disabled: true })
  await update(disabled.id, { disabled: false })
  is((await me(disabled.cookie)).status, 401)
  is((await me(await cookieOf(disabled.token))).status, 200)
  const deleted = await addToken({ name: 'deleted' })
  await lab.call('POST /token/delete', { id: deleted.id })
  is((await me(deleted.cookie)).status, 401)
  const expiring = await addToken({ name: 'expiring', expires: seconds() + 60 })
  is((await me(expiring.cookie)).status, 200)
  await clock.advance(61_000)
  is((await me(expiring.cookie)).status, 401)
  await update(expiring.id, { expires: seconds() + 3600 })
  is((await me(expiring.cookie)).status, 401)
})

test('the use of a session is a use of its token', async () => {
  const { id, cookie } = await addToken({ name: 'used' })
  await clock.advance(60_000)
  await me(cookie)
  const { json } = await lab.call('GET /tokens')
  is(json.tokens.find((each: { id: number }) => String(each.id) === id).used, seconds())
})

test('the session is named in the audit log as the token is', async () => {
  const { cookie } = await addToken({ name: 'audited', role: 'admin' })
  await lab.call('POST /center/add', { name: 'Audited' }, { ...nobody, Cookie: cookie })
  const { json } = await lab.call('GET /audit?who=audited&since=2000-01-01T00:00:00.000Z')
  equal(
    json.audit.map(({ route, who, status }: Record<string, unknown>) => [route, who, status]),
    [
      ['POST /login', 'token audited', 200],
      ['POST /center/add', 'token audited', 200],
    ],
  )
})

test('both a token and a name is the token; neither, and a token that is no text, is 400', async () => {
  const both = { name: 'anna', password: 'wrong', token: apiToken }
  is((await lab.call('POST /login', both, nobody)).json.name, 'admin')
  for (const payload of [{}, { name: 'anna' }, { token: 1 }, { token: 'x'.repeat(1025) }]) {
    is((await lab.call('POST /login', payload, nobody)).status, 400)
  }
})

test('a page of another origin cannot log in', async () => {
  is((await login(apiToken, { Origin: 'http://elsewhere.example' })).status, 403)
})

test('a session of the API token ends when the API token is replaced', async () => {
  const changing = { value: 'first token of this host' }
  const other = await startTestHost({ token: changing })
  const asFirst = await other.call('POST /login', { token: changing.value }, nobody)
  const first = String(asFirst.headers['set-cookie']).replace(/;.*/, '')
  const statusOf = async (Cookie: string) => (await other.call('GET /me', undefined, { ...nobody, Cookie })).status
  is(await statusOf(first), 200)
  changing.value = 'second token of this host'
  is((await other.call('POST /login', { token: 'first token of this host' }, nobody)).status, 401)
  const asSecond = await other.call('POST /login', { token: changing.value }, nobody)
  const second = String(asSecond.headers['set-cookie']).replace(/;.*/, '')
  equal([await statusOf(first), await statusOf(second)], [401, 200])
  await other.stop()
})

test('wrong, disabled and expired tokens are 401, are counted, and are never shown', async () => {
  const { id, token } = await addToken({ name: 'locked', expires: seconds() + 60 })
  await update(id, { disabled: true })
  const wrong = 'wrong-token-of-nobody'
  const failures = async () =>
    Number(/^fleet_auth_failures_total (\d+)$/m.exec((await lab.call('GET /metrics')).text)?.[1])
  const before = await failures()
  for (const text of [token, wrong, `${token.slice(0, -1)}~`, '', apiToken.slice(1)]) {
    const { status, text: body, headers } = await login(text)
    equal([status, body, headers['set-cookie'], headers['x-reason']], [401, '', undefined, undefined])
  }
  is(await failures(), before + 5)
  const { text } = await lab.call('GET /audit?since=2000-01-01T00:00:00.000Z')
  for (const secret of [wrong, token.slice(-43), apiToken])
    for (const each of [text, ...lab.log]) not(each.includes(secret))
})

test.run()
