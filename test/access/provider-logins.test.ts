// A login by a provider: how long and for whom it counts, and what happens while the provider is away.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { cookiesOf, nobody, startSsoLab } from '../harness/sso-lab.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const people = {
  anna: { preferred_username: 'anna', groups: ['/teachers'] },
  berta: { preferred_username: 'berta', groups: ['/teachers'] },
}
const { provider, clock, lab, redirect, start, finish, comeBack, logIn, lastReason, stop } = await startSsoLab(people)
const local = { name: 'local', password: 'a password of hers' }
await lab.call('POST /user/add', { ...local, role: 'read' })

const test = suite('logins by a provider')
test.after(stop)

test('a login counts once, in the browser that began it, for ten minutes', async () => {
  const first = await comeBack('anna')
  const other = cookiesOf((await start()).headers)[0] ?? ''
  for (const cookie of ['', other, 'fleet_login=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']) {
    const { status, headers } = await finish(first.redirected, cookie)
    equal([status, headers['x-reason']], [401, undefined])
  }
  is((await finish(first.redirected, first.cookie)).status, 200)
  is((await finish(first.redirected, first.cookie)).status, 401)
  const late = await comeBack('anna')
  await clock.advance(600_000)
  is((await finish(late.redirected, late.cookie)).status, 401)
})

test('an address that is not the one of the start, or has an error of the provider, logs nobody in', async () => {
  const { redirected, cookie } = await comeBack('anna')
  is((await finish(redirected.replace('/console', '/docs'), cookie)).status, 401)
  const cancelled = await start()
  const state = new URL(cancelled.json.url).searchParams.get('state')
  const [Cookie = ''] = cookiesOf(cancelled.headers)
  const error = `${redirect}?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
  is((await finish(error, Cookie)).status, 401)
  match(await lastReason(), /^the login at the provider failed: .*access_denied/)
})

test('what was begun nowhere counts for its address, as wrong passwords do, and stops nobody who comes back', async () => {
  const { redirected, cookie } = await comeBack('anna')
  const addr = '10.8.8.8'
  for (let failures = 0; failures < 10; failures += 1) {
    is((await finish(`${redirect}?state=${failures}`, cookie, addr)).status, 401)
  }
  is((await finish(`${redirect}?state=x`, cookie, addr)).status, 429)
  is((await finish(redirected, cookie, addr)).status, 200)
})

test('a whole building behind one address logs in at once', async () => {
  const logins = []
  for (let begun = 0; begun < 25; begun += 1) logins.push(await comeBack('anna'))
  const ended = await Promise.all(logins.map(({ redirected, cookie }) => finish(redirected, cookie, '10.8.8.7')))
  equal(new Set(ended.map(({ status }) => status)), new Set([200]))
})

test('one address begins 600 logins in a minute', async () => {
  const statuses = []
  for (let begun = 0; begun <= 600; begun += 1) statuses.push((await start(redirect, '10.8.8.6')).status)
  equal([statuses.lastIndexOf(200), statuses.at(-1)], [599, 429])
  is((await start(redirect, '10.8.8.5')).status, 200)
})

test('two first logins of a person at once make one account', async () => {
  const logins = [await comeBack('berta'), await comeBack('berta')]
  const ended = await Promise.all(logins.map(({ redirected, cookie }) => finish(redirected, cookie)))
  equal(
    ended.map(({ status, json }) => [status, json.name]),
    [
      [200, 'user berta'],
      [200, 'user berta'],
    ],
  )
  const users: { name: string }[] = (await lab.call('GET /users')).json.users
  is(users.filter(({ name }) => name === 'berta').length, 1)
})

test('a start names the address of a page, and counts at names of this server only', async () => {
  for (const address of ['/console', 'javascript:alert(1)', `${redirect}?x=1`, `${redirect}#login`]) {
    is((await start(address)).status, 400)
  }
  const other = { ...nobody, Host: 'other.example.org' }
  is((await lab.call('POST /login/start', { redirect }, other)).status, 403)
})

test('logging out answers where the browser ends its session at the provider', async () => {
  const [Cookie = ''] = cookiesOf((await logIn('anna')).headers)
  const { json, headers } = await lab.call('POST /logout', { redirect }, { ...nobody, Cookie })
  const url = new URL(json.url)
  equal(
    [url.origin, url.searchParams.get('client_id'), url.searchParams.get('post_logout_redirect_uri')],
    [provider.issuer, 'fleet-host', redirect],
  )
  match(String(headers['set-cookie']), /^fleet_session=; .*Max-Age=0$/)
  is((await lab.call('GET /me', undefined, { ...nobody, Cookie })).status, 401)
  const [ofLocal = ''] = cookiesOf((await lab.call('POST /login', local, nobody)).headers)
  equal((await lab.call('POST /logout', { redirect }, { ...nobody, Cookie: ofLocal })).text, '')
})

test('while the provider is away a login by it fails with the reason in the log, and local ones go on', async () => {
  const { redirected, cookie } = await comeBack('anna')
  provider.fail()
  is((await finish(redirected, cookie)).status, 401)
  match(await lastReason(), /^the login at the provider failed: .*fetch failed/)
  await clock.advance(3_600_000)
  is((await start()).status, 500)
  await lab.logged(/500, the provider http:\S+ cannot be asked: /)
  is((await lab.call('POST /login', local, nobody)).status, 200)
  provider.serve(redirect)
  is((await logIn('anna')).status, 200)
})

test('a daemon without the option has no provider', async () => {
  const other = await startTestHost()
  equal((await other.call('GET /login/provider', undefined, nobody)).json, {})
  is((await other.call('POST /login/start', { redirect }, nobody)).status, 400)
  is((await other.call('POST /login', { redirected: redirect }, nobody)).status, 400)
  equal((await other.call('GET /login/claims')).json, { logins: [] })
  await other.stop()
})

test.run()
