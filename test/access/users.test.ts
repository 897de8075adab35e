// Users: logging in with a password, the session's cookie, and the name that a proxy sets.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { readEvents } from '../harness/event-reader.ts'
import { startTestHost } from '../harness/test-host.ts'
export const runs = { postgres: false }

const clock = createManualClock()
const proxyUser = { header: 'X-Remote-User', from: ['127.0.0.0/8'] }
const options = {
  rest: { port: 0, proxy_user: proxyUser, names: ['fleet.example.org'] },
  store: { adapter: 'lowdb', path: './data' },
}
const lab = await startTestHost({ clock, options })
await lab.addComputer('127.0.0.2')
const password = 'a password of hers'
const changed = 'another password'
const nobody = { Authorization: '' }
const hour = 3_600_000

const addUser = (fields: object) => lab.call('POST /user/add', { password, role: 'operate', ...fields })
const login = (name: string, word = password, headers = {}) =>
  lab.call('POST /login', { name, password: word }, { ...nobody, ...headers })
const cookieOf = async (name: string, word = password): Promise<string> => {
  const { status, headers } = await login(name, word)
  is(status, 200, lab.log.at(-1))
  return String(headers['set-cookie']).replace(/;.*/, '')
}
const me = (headers: Record<string, string>) => lab.call('GET /me', undefined, { ...nobody, ...headers })
const idOf = async (name: string): Promise<string> => {
  const { json } = await lab.call('GET /users')
  return String(json.users.find((each: { name: string }) => each.name === name).id)
}

const test = suite('users')
test.after(() => lab.stop())

test('a user logs in, and the cookie of the response is accepted in place of a token', async () => {
  const { headers } = await addUser({ name: 'anna', rooms: [1] })
  is(headers['x-id'], await idOf('anna'))
  const { status, json, headers: received } = await login('anna')
  const caller = { name: 'user anna', role: 'operate', centers: [], rooms: [1], version }
  equal([status, json, received['cache-control']], [200, caller, 'no-store'])
  const [cookie = '', device] = received['set-cookie'] ?? []
  match(cookie, /^fleet_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  match(String(device), /^fleet_device=/)
  for (const Cookie of [cookie.replace(/;.*/, ''), `theme=dark; ${cookie.replace(/;.*/, '')}; other=1`]) {
    const { last_event_id: _, ...answer } = (await me({ Cookie })).json
    equal(answer, caller)
  }
})

test('a page that came over TLS gets the cookie with the prefix __Host- and Secure', async () => {
  const { headers } = await login('anna', password, {
    Origin: 'https://fleet.example.org',
    'Sec-Fetch-Site': 'same-origin',
  })
  const [cookie = '', device] = headers['set-cookie'] ?? []
  match(String(device), /^__Host-fleet_device=.*; Secure; Max-Age=\d+$/)
  match(cookie, /^__Host-fleet_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Secure$/)
  is((await me({ Cookie: cookie.replace(/;.*/, '') })).status, 200)
})

test('GET /users shows everything but the hash, the store has it with scrypt', async () => {
  const { text, json } = await lab.call('GET /users')
  not.match(text, 'scrypt')
  equal(Object.keys(json.users[0]).join(), 'id,name,role,centers,rooms,created,by,disabled,used')
  is(json.users[0].used, Math.floor(clock.now() / 1000))
})

test('a wrong password, an unknown name and a disabled user are 401 without a prompt of the browser', async () => {
  await addUser({ name: 'disabled' })
  await lab.call('POST /user/update', { id: await idOf('disabled'), disabled: true })
  for (const [name, word] of [
    ['anna', 'wrong'],
    ['nobody', password],
    ['disabled', password],
  ] as const) {
    const { status, text, headers } = await login(name, word)
    equal(
      [name, status, text, headers['www-authenticate'], headers['set-cookie']],
      [name, 401, '', undefined, undefined],
    )
  }
})

test('a session counts only for an address, localhost and rest.names', async () => {
  const Cookie = await cookieOf('anna')
  const statusOf = async (Host: string) => (await me({ Cookie, Host })).status
  for (const host of ['127.0.0.1:8888', 'localhost', 'fleet.example.org']) is(await statusOf(host), 200, host)
  for (const host of ['evil.example', 'localhost.evil.example:8888']) is(await statusOf(host), 401, host)
  // A token is sent by programs, for which the name has no meaning.
  is((await lab.call('GET /me', undefined, { Host: 'evil.example' })).status, 200)
})

test('a session ends at the logout', async () => {
  const Cookie = await cookieOf('anna')
  const { status, text, headers } = await lab.call('POST /logout', undefined, { ...nobody, Cookie })
  equal([status, text], [200, ''])
  match(String(headers['set-cookie']), /^fleet_session=; .*; Max-Age=0$/)
  is((await me({ Cookie })).status, 401)
})

test('a stream of events ends with the session of its reader, before the next event', async () => {
  const Cookie = await cookieOf('anna')
  const read = () => readEvents(lab.host.ports.rest, '?type=computer', { ...nobody, Cookie })
  const [stream, loggedOut] = [await readEvents(lab.host.ports.rest, '?type=computer'), await read()]
  is(loggedOut.status, 200)
  const change = (maintenance: boolean) => lab.call('POST /client/update', { ip: '127.0.0.2', maintenance })
  await change(true)
  await loggedOut.first({ type: 'computer-changed' })
  await lab.call('POST /logout', undefined, { ...nobody, Cookie })
  await change(false)
  await loggedOut.ended
  is(loggedOut.events.length, 1)
  await stream.until(() => stream.events.length === 2)
  stream.close()
  await lab.logged(/GET \/events from 127\.0\.0\.1: closed: the session of its reader has ended/)
  is((await read()).status, 401)
})

test('a session ends after 8 hours without a request, and after 7 days', async () => {
  const Cookie = await cookieOf('anna')
  await clock.advance(8 * hour - 1)
  is((await me({ Cookie })).status, 200)
  await clock.advance(8 * hour)
  is((await me({ Cookie })).status, 401)
  const long = await cookieOf('anna')
  for (let hours = 7; hours < 7 * 24; hours += 7) {
    await clock.advance(7 * hour)
    is((await me({ Cookie: long })).status, 200)
  }
  await clock.advance(7 * hour)
  is((await me({ Cookie: long })).status, 401)
})

test('a new password, disabling and deleting end the sessions of the user', async () => {
  await addUser({ name: 'ben' })
  const id = await idOf('ben')
  const first = await cookieOf('ben')
  await lab.call('POST /user/update', { id, password: changed })
  is((await me({ Cookie: first })).status, 401)
  is((await login('ben')).status, 401)
  const second = await cookieOf('ben', changed)
  await lab.call('POST /user/update', { id, role: 'read' })
  is((await me({ Cookie: second })).json.role, 'read')
  await lab.call('POST /user/update', { id, disabled: true })
  await lab.call('POST /user/update', { id, disabled: false })
  is((await me({ Cookie: second })).status, 401)
  const third = await cookieOf('ben', changed)
  is((await lab.call('POST /user/delete', { id })).status, 200)
  is((await me({ Cookie: third })).status, 401)
})

test('a request with a cookie that a page of another origin sends is refused', async () => {
  const Cookie = await cookieOf('anna')
  const payload = { clients: ['127.0.0.2'], run: 'id', echo: false }
  const send = (headers: object) => lab.call('POST /shell/run', payload, { ...nobody, Cookie, ...headers })
  is((await send({ 'Sec-Fetch-Site': 'cross-site' })).status, 403)
  is((await send({ Origin: 'http://elsewhere.example' })).status, 403)
  is((await me({ Cookie, 'Sec-Fetch-Site': 'same-site' })).status, 401)
  is((await me({ Cookie, 'Sec-Fetch-Site': 'same-origin' })).status, 200)
})

test('a name that a proxy sets is trusted from its addresses, for users that exist', async () => {
  await addUser({ name: 'Núria', role: 'read' })
  const name = Buffer.from('Núria').toString('latin1')
  is((await me({ 'X-Remote-User': name })).json.name, 'user Núria')
  is((await me({ 'X-Remote-User': 'nobody' })).status, 401)
  is((await me({ 'X-Remote-User': 'disabled' })).status, 401)
  is((await me({ 'X-Remote-User': 'anna, Núria' })).status, 401)
  is((await me({ 'X-Remote-User': name, 'Sec-Fetch-Site': 'cross-site' })).status, 401)
  is((await me({ 'X-Remote-User': name, Authorization: 'Basic YW5uYTp4' })).json.name, 'user Núria')
  is((await lab.call('GET /me', undefined, { 'X-Remote-User': name })).json.name, 'admin')
})

test('the header means nothing from other addresses, and without the option', async () => {
  for (const proxy_user of [{ ...proxyUser, from: ['10.0.0.0/8', '127.0.0.2'] }, undefined]) {
    const other = await startTestHost({ options: { rest: { port: 0, proxy_user } } })
    await other.call('POST /user/add', { name: 'anna', password, role: 'read' })
    const { status } = await other.call('GET /me', undefined, { ...nobody, 'X-Remote-User': 'anna' })
    await other.stop()
    is(status, 401)
  }
})

test('a password that does not fit the schema is not in the log', async () => {
  const { status, headers } = await addUser({ name: 'short', password: 'secret7' })
  equal(
    [status, headers['x-reason']],
    [400, 'password: expected a text of at least 8 characters, got a value that is kept secret'],
  )
  is((await login('anna', 'x'.repeat(300))).status, 400)
})

test('no password and no cookie is in the log or in a file of the daemon', async () => {
  const cookie = (await cookieOf('anna')).replace('fleet_session=', '')
  await lab.stop('keep')
  const files = readdirSync(join(lab.folder, 'data'), { recursive: true, withFileTypes: true }).filter(each =>
    each.isFile(),
  )
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
  ok(texts.some(text => /scrypt\$\d+\$8\$3\$/.test(text)))
  for (const text of [...texts, ...lab.log]) {
    for (const secret of [password, changed, 'secret7', 'xxxxxxxx', cookie]) not(text.includes(secret))
  }
})

test.run()
