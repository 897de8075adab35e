// Sessions over a restart of the daemon: they are kept with their ends, and only for the account that they belong to.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { Sessions } from '../../host/access/sessions.ts'
import { createLog } from '../../host/log/log.ts'
import { systemClock } from '../../host/system/clock.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

export const runs = { postgres: false }

const test = suite('sessions over a restart')

const nobody = { Authorization: '' }
const password = 'a password of hers'
const options = { store: { adapter: 'lowdb', path: './data' } }

const start = (folder?: string) => startTestHost({ options, ...(folder !== undefined && { folder }) })
const fileOf = ({ folder }: TestHost) => join(folder, 'data', 'sessions.json')

async function logIn(host: TestHost, credentials: object): Promise<string> {
  const { headers } = await host.call('POST /login', credentials, nobody)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

const statusOf = async (host: TestHost, Cookie: string) =>
  (await host.call('GET /me', undefined, { ...nobody, Cookie })).status

async function startWithUser(): Promise<TestHost> {
  const host = await start()
  await host.call('POST /user/add', { name: 'anna', password, role: 'operate' })
  return host
}

test('a session goes on after a restart, and one that was ended does not', async () => {
  const first = await startWithUser()
  const [open, ended] = [await logIn(first, { name: 'anna', password }), await logIn(first, { name: 'anna', password })]
  await first.call('POST /logout', undefined, { ...nobody, Cookie: ended })
  is(statSync(fileOf(first)).mode & 0o777, 0o600)
  await first.stop('keep')
  const second = await start(first.folder)
  equal([await statusOf(second, open), await statusOf(second, ended)], [200, 401])
  await second.stop()
})

test('a session is kept as soon as it exists: a daemon that is killed loses none', async () => {
  const host = await startWithUser()
  const cookie = await logIn(host, { name: 'anna', password })
  const text = readFileSync(fileOf(host), 'utf8')
  match(text, '"user:1"')
  not.match(text, cookie.replace('fleet_session=', ''))
  await host.stop()
})

test('the session of an account is not that of another one with its id', async () => {
  const first = await startWithUser()
  const cookie = await logIn(first, { name: 'anna', password })
  await first.stop('keep')
  const second = await startTestHost({ folder: first.folder })
  await second.call('POST /user/add', { name: 'ben', password, role: 'admin' })
  is(await statusOf(second, cookie), 401)
  await second.stop()
})

test('the session of an API token ends when the daemon starts with another one', async () => {
  const first = await start()
  const cookie = await logIn(first, { token: 'the-token' })
  is(await statusOf(first, cookie), 200)
  await first.stop('keep')
  const second = await startTestHost({ options, folder: first.folder, token: { value: 'another-token' } })
  is(await statusOf(second, cookie), 401)
  await second.stop()
})

test('a damaged file logs everybody out with one warning', async () => {
  const first = await startWithUser()
  const cookie = await logIn(first, { name: 'anna', password })
  await first.stop('keep')
  for (const text of ['{', '[["key", {"reference": 1}]]']) {
    writeFileSync(fileOf(first), text)
    const second = await start(first.folder)
    is(await statusOf(second, cookie), 401)
    is(second.log.filter(line => line.includes('users have to log in again')).length, 1)
    await second.stop('keep')
  }
  const last = await start(first.folder)
  await last.stop()
})

test('the 21st session of a user or token ends the first one', () => {
  const sessions = new Sessions(
    systemClock,
    '/nowhere',
    createLog(() => {}),
  )
  const other = sessions.create('user:2', '')
  const secrets = Array.from({ length: 21 }, () => sessions.create('user:1', ''))
  const found = secrets.map(secret => sessions.find(secret)?.reference)
  equal(found, [undefined, ...Array(20).fill('user:1')])
  is(sessions.find(other)?.reference, 'user:2')
})

test.run()
