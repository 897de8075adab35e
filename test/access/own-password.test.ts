// POST /me/password: a user changes the own password with the present one.
import { suite } from 'uvu'
import { equal, is, not } from 'uvu/assert'
import { caller } from '../../commands/_schemas/accounts.ts'
import { createSchemas } from '../../host/modules/schemas.ts'
import { startTestHost } from '../harness/test-host.ts'

const proxyUser = { header: 'X-Remote-User', from: ['127.0.0.0/8'] }
const lab = await startTestHost({ options: { rest: { port: 0, proxy_user: proxyUser } } })
const password = 'a password of hers'
const changed = 'another password'
for (const name of ['anna', 'ben', 'carla']) await lab.call('POST /user/add', { name, password, role: 'read' })

const nobody = { Authorization: '' }
const login = (name: string, word: string) => lab.call('POST /login', { name, password: word }, nobody)
const cookieOf = async (name: string) => cookieIn((await login(name, password)).headers)
const cookieIn = (headers: Record<string, unknown>) => String(headers['set-cookie']).replace(/;.*/, '')
const statusOfMe = async (Cookie: string) => (await lab.call('GET /me', undefined, { ...nobody, Cookie })).status
const change = (passwords: object, headers: object) =>
  lab.call('POST /me/password', { old: password, password: changed, ...passwords }, { ...nobody, ...headers })

const test = suite('own passwords')
test.after(() => lab.stop())

test('the present password is asked for, all other sessions end, and that of the request gets another cookie', async () => {
  const [Cookie, other] = [await cookieOf('anna'), await cookieOf('anna')]
  const wrong = await change({ old: 'wrong' }, { Cookie })
  equal([wrong.status, wrong.headers['x-reason']], [400, 'old: expected the present password'])
  is((await change({ password: 'short' }, { Cookie })).status, 400)
  is(await statusOfMe(other), 200)
  const { status, json, headers } = await change({}, { Cookie })
  equal([status, json.name, headers['cache-control']], [200, 'user anna', 'no-store'])
  is(createSchemas().compile(caller, 'answer')(json), undefined)
  equal(await Promise.all([Cookie, other, cookieIn(headers)].map(statusOfMe)), [401, 401, 200])
  equal([(await login('anna', password)).status, (await login('anna', changed)).status], [401, 200])
})

test('the audit log has who changed a password and who failed, and no password', async () => {
  const { json, text } = await lab.call('GET /audit?limit=1000')
  const records = json.audit.filter(({ route }: { route: string }) => route === 'POST /me/password')
  equal(
    records.map(({ who, status }: { who: string; status: number }) => [who, status]),
    [
      ['user anna', 400],
      ['user anna', 400],
      ['user anna', 200],
    ],
  )
  for (const secret of [password, changed]) not.match(text + lab.log.join(''), secret)
})

test('guesses of the present password are counted with failed logins', async () => {
  const Cookie = await cookieOf('ben')
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await change({ old: 'wrong' }, { Cookie })).status)
  equal([...statuses, (await login('ben', password)).status], [400, 400, 400, 400, 429, 429])
})

test('who is no user has no own password, and a user of a proxy gets no session', async () => {
  const refused = await lab.call('POST /me/password', { old: password, password: changed })
  equal([refused.status, refused.headers['x-reason']], [400, 'expected a user who has logged in, got admin'])
  const { status, headers } = await change({}, { 'X-Remote-User': 'carla' })
  equal([status, headers['set-cookie']], [200, undefined])
  is((await login('carla', changed)).status, 200)
})

test.run()
