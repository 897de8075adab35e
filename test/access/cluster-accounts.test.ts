// Tokens and users that another host of the fleet has changed.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { followChanges } from '../../host/cluster/follow-changes.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'
import { startOidcProvider } from '../harness/oidc-provider.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { skipFile } from '../harness/skip-file.ts'
import { consoleOf, loginCalls, oidcOf } from '../harness/sso-lab.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres({ fsync: true })
const provider = await startOidcProvider({ anna: { preferred_username: 'anna', groups: ['/teachers'] } })
const startOne = (name: string) => {
  const cluster = { name, lease_seconds: 3 }
  return startTestHost({ options: { store: server.storeOptions('accounts'), cluster, oidc: oidcOf(provider) } })
}
const [a, b] = [await startOne('a'), await startOne('b')]
provider.serve(consoleOf(a), consoleOf(b))

const test = suite('accounts of several hosts')
test.after(async () => {
  await b.stop()
  await a.stop()
  await provider.stop()
  await server.stop()
})

async function addToken(name: string) {
  const { json, status } = await a.call('POST /token/add', { name, role: 'read' })
  is(status, 200)
  await pollUntil(async () =>
    (await b.call('GET /tokens')).json.tokens.some((one: { id: number }) => one.id === json.id),
  )
  const statusAt = async (host: TestHost) =>
    (await host.call('GET /clients', undefined, { Authorization: json.token })).status
  return { id: String(json.id), statusAt }
}

test('a token of another host is accepted, and refused within a second after that host has deleted it', async () => {
  const { id, statusAt } = await addToken('first')
  equal([await statusAt(a), await statusAt(b)], [200, 200])
  is((await a.call('POST /token/delete', { id })).status, 200)
  const time = startQuietTimer()
  await pollUntil(async () => (await statusAt(b)) === 401)
  ok(time() < 1000)
})

test('what a token has queued is cancelled when another host has deleted it', async () => {
  await a.addComputer('127.0.0.2')
  const { json } = await b.call('POST /token/add', { name: 'queueing', role: 'operate' })
  const payload = { clients: ['127.0.0.2'], run: 'id', echo: false }
  const run = (host: TestHost) => host.call('POST /shell/run?queue=1', payload, { Authorization: json.token })
  await pollUntil(async () => (await run(a)).status === 200)
  await run(b)
  const countOf = async (state: string) =>
    (await a.call('GET /jobs')).json.jobs.filter(({ counts }: { counts: Record<string, number> }) => counts[state])
      .length
  is(await countOf('queued'), 2)
  await b.call('POST /token/delete', { id: String(json.id) })
  await pollUntil(async () => (await countOf('cancelled')) === 2)
})

test('the session of a user whom another host disables does not come back when the user is enabled again', async () => {
  await a.call('POST /user/add', { name: 'ana', password: 'a long password', role: 'operate' })
  const id = String((await a.call('GET /users')).json.users[0].id)
  await pollUntil(async () => (await b.call('GET /users')).json.users.length === 1)
  const login = await b.call('POST /login', { name: 'ana', password: 'a long password' }, { Authorization: '' })
  is(login.status, 200)
  const Cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
  const status = async () => (await b.call('GET /clients', undefined, { Authorization: '', Cookie })).status
  is(await status(), 200)
  const isDisabled = async () => (await b.call('GET /users')).json.users[0].disabled
  await a.call('POST /user/update', { id, disabled: true })
  await pollUntil(isDisabled)
  await a.call('POST /user/update', { id, disabled: false })
  await pollUntil(async () => !(await isDisabled()))
  is(await status(), 401)
})

test('two first logins of a person by the provider, at once on two hosts, make one account', async () => {
  await a.addComputer('127.0.0.3')
  const hosts = [a, b].map(lab => loginCalls({ provider, lab, redirect: consoleOf(lab) }))
  const logins = []
  for (const host of hosts) logins.push({ host, ...(await host.comeBack('anna')) })
  const ended = await Promise.all(logins.map(({ host, redirected, cookie }) => host.finish(redirected, cookie)))
  const anna = [200, 'user anna', 'operate']
  equal(
    ended.map(({ status, json }) => [status, json.name, json.role]),
    [anna, anna],
  )
  const users: { name: string }[] = (await a.call('GET /users')).json.users
  is(users.filter(({ name }) => name === 'anna').length, 1)
})

test('a token that is deleted right after the database was away is refused by the other host, too', async () => {
  const { id, statusAt } = await addToken('second')
  await server.kill()
  await server.start()
  await pollUntil(async () => (await a.call('POST /token/delete', { id })).status === 200, 20_000)
  await pollUntil(async () => (await statusAt(b)) === 401)
})

test('accounts that cannot be read are read again, until that is ended', async () => {
  const lines: string[] = []
  const log = createLog(line => void lines.push(line))
  const events = createEvents(log)
  let [reads, isAway] = [0, true]
  const onGap: (() => void)[] = []
  const reload = async () => {
    reads += 1
    if (isAway) throw new Error('away')
  }
  const end = followChanges(
    { type: 'accounts-changed', what: 'tokens and users', reload },
    { events, log, cluster: { feed: { onGap: each => void onGap.push(each) } } },
  )
  events.emit({ type: 'accounts-changed' })
  is(reads, 0)
  events.relay({ type: 'accounts-changed' })
  await pollUntil(async () => reads > 1)
  is(lines.filter(line => line.includes('tokens and users could not be read again, retrying: away')).length, 1)
  isAway = false
  const before = reads
  await pollUntil(async () => reads > before)
  for (const call of onGap) call()
  is(reads, before + 2)
  end()
  for (const call of onGap) call()
  events.relay({ type: 'accounts-changed' })
  is(reads, before + 2)
})

test.run()
