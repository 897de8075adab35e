// Logging in by a provider, with a real one: what the claims of a person give, and the account that the person gets.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import { cookiesOf, nobody, startSsoLab } from '../harness/sso-lab.ts'

export const runs = { hosts: false }

const people: Record<string, Record<string, unknown>> = {
  anna: { preferred_username: 'anna', groups: ['/teachers', '/all'] },
  berta: { preferred_username: 'berta', realm_access: { roles: ['lab-admin'] } },
  carla: { preferred_username: 'carla', groups: ['/students'] },
  local: { preferred_username: 'local', groups: ['/teachers'] },
  nameless: { groups: ['/teachers'] },
}
const { lab, redirect, start, logIn, stop } = await startSsoLab(people)

const test = suite('single sign-on')
test.after(stop)

test('the page of the login gets the label of the provider', async () => {
  equal((await lab.call('GET /login/provider', undefined, nobody)).json, { label: 'University account' })
})

test('who comes back from the provider has a session with the rights of the first rule that matches', async () => {
  const begun = await start()
  const url = new URL(begun.json.url)
  equal(
    ['response_type', 'client_id', 'scope', 'code_challenge_method', 'redirect_uri'].map(key =>
      url.searchParams.get(key),
    ),
    ['code', 'fleet-host', 'openid profile', 'S256', redirect],
  )
  match(String(begun.headers['set-cookie']), /^fleet_login=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=600$/)
  const { status, json, headers } = await logIn('anna')
  const caller = { name: 'user anna', role: 'operate', centers: [], rooms: [1], provider: true, version }
  equal([status, json, headers['cache-control']], [200, caller, 'no-store'], lab.log.at(-1))
  const [session = '', removed] = cookiesOf(headers)
  is(removed, 'fleet_login=')
  const { last_event_id: _, ...answer } = (await lab.call('GET /me', undefined, { ...nobody, Cookie: session })).json
  equal(answer, caller)
})

test('a name with dots is a key inside a claim', async () => {
  const { json } = await logIn('berta')
  equal([json.name, json.role, json.rooms], ['user berta', 'admin', []])
})

test('administrators see the person among the users, the audit log names the person', async () => {
  await logIn('anna')
  const { json, text } = await lab.call('GET /users')
  const users = json.users.map(({ name, by }: { name: string; by: string }) => `${name} ${by}`)
  equal(users, ['anna single sign-on', 'berta single sign-on'])
  ok(!text.includes('oidc$'))
  const { audit } = (await lab.call('GET /audit?limit=1000')).json
  const record = audit.findLast(({ route }: { route: string }) => route === 'POST /login')
  equal([record.who, record.status], ['user anna', 200])
})

test('each login gives the present name and rights, and keeps the account', async () => {
  const before = (await lab.call('GET /users')).json.users[0].id
  people.anna = { preferred_username: 'anna.married', realm_access: { roles: ['lab-admin'] } }
  const { json } = await logIn('anna')
  equal([json.name, json.role, json.rooms], ['user anna.married', 'admin', []])
  equal((await lab.call('GET /users')).json.users[0].id, before)
  people.anna = { preferred_username: 'anna', groups: ['/teachers'] }
  await logIn('anna')
})

test('a person for whom there is no rule is refused with the reason, and administrators see the claims', async () => {
  const { status, headers } = await logIn('carla')
  equal([status, headers['x-reason']], [403, 'no rule of oidc.rules is for the claims of this person'])
  const { logins } = (await lab.call('GET /login/claims')).json
  const [{ reason, rule, claims }, earlier] = logins
  equal([reason, rule, claims.groups, claims.sub], [headers['x-reason'], undefined, ['/students'], 'carla'])
  equal([earlier.rule, earlier.claims.preferred_username], [1, 'anna'])
  ok(!(await lab.call('GET /users')).text.includes('carla'))
})

test('who matches no rule any more loses sessions and rights, until a rule matches again', async () => {
  const [Cookie = ''] = cookiesOf((await logIn('anna')).headers)
  people.anna = { preferred_username: 'anna', groups: ['/students'] }
  is((await logIn('anna')).status, 403)
  is((await lab.call('GET /me', undefined, { ...nobody, Cookie })).status, 401)
  people.anna = { preferred_username: 'anna', groups: ['/teachers'] }
  const { status, json } = await logIn('anna')
  equal([status, json.name, json.role], [200, 'user anna', 'operate'])
})

test('a name that another user has is not taken over, the rights are', async () => {
  people.anna = { preferred_username: 'berta', realm_access: { roles: ['lab-admin'] } }
  const { json } = await logIn('anna')
  equal([json.name, json.role], ['user anna', 'admin'])
  people.anna = { preferred_username: 'anna', groups: ['/teachers'] }
  is((await logIn('anna')).json.role, 'operate')
})

test('a person without the claim of the name is refused with the name of the claim', async () => {
  const { headers } = await logIn('nameless')
  is(headers['x-reason'], 'oidc.user: expected 1 to 64 characters in the claim preferred_username, got none')
})

test('a person does not get the account of a local user with the same name', async () => {
  await lab.call('POST /user/add', { name: 'local', password: 'a password of hers', role: 'admin' })
  const { status, headers } = await logIn('local')
  is(status, 403)
  match(String(headers['x-reason']), 'there is a user local who does not log in by this account')
})

test('the account has no password, and nobody can give it one', async () => {
  is((await lab.call('POST /login', { name: 'anna', password: 'oidc$' }, nobody)).status, 401)
  const { id } = (await lab.call('GET /users')).json.users[0]
  const { headers } = await lab.call('POST /user/update', { id: String(id), password: 'another password' })
  is(headers['x-reason'], 'password: user anna has none here')
  const [Cookie = ''] = cookiesOf((await logIn('anna')).headers)
  const own = await lab.call('POST /me/password', { old: '', password: 'another password' }, { ...nobody, Cookie })
  match(String(own.headers['x-reason']), 'user anna logs in by a provider and has no password here')
})

test('an administrator can disable the account: its session ends, and the provider opens no other', async () => {
  const [Cookie = ''] = cookiesOf((await logIn('anna')).headers)
  const { id } = (await lab.call('GET /users')).json.users[0]
  await lab.call('POST /user/update', { id: String(id), disabled: true })
  is((await lab.call('GET /me', undefined, { ...nobody, Cookie })).status, 401)
  const { status, headers } = await logIn('anna')
  equal([status, headers['x-reason']], [403, 'user anna is disabled'])
  await lab.call('POST /user/update', { id: String(id), disabled: false })
})

test.run()
