// Wrong tokens and failed logins: what they leave behind, and when guesses are stopped.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { AuthFailures } from '../../host/access/auth-failures.ts'
import { createLog } from '../../host/log/log.ts'
import { limitLog } from '../../host/log/throttled-log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const nobody = { Authorization: '' }
const failures = async () =>
  Number(/^fleet_auth_failures_total (\d+)$/m.exec((await lab.call('GET /metrics')).text)?.[1])

const test = suite('failed credentials')
test.after(() => lab.stop())

test('a request without credentials is 401 and no failure', async () => {
  is((await lab.call('GET /clients', undefined, nobody)).status, 401)
  is(await failures(), 0)
  match(await lab.logged(/401/), /GET \/clients from 127\.0\.0\.1: 401, no token$/m)
})

test('a wrong token is 401 however often, with one log line and one event a minute and address', async () => {
  const events: FleetEvent[] = []
  const unsubscribe = lab.host.events.on(event => events.push(event), ['auth-failed'])
  for (let count = 0; count < 30; count += 1)
    is((await lab.call('GET /clients', undefined, { Authorization: 'x' })).status, 401)
  unsubscribe()
  equal(events, [{ type: 'auth-failed', addr: '127.0.0.1' }])
  is(await failures(), 30)
  is(lab.log.filter(line => line.includes('401, wrong token')).length, 1)
})

test('each address has a line and an event of its own within a minute, and at most 300 have', async () => {
  let now = 0
  const lines: string[] = []
  const events = createEvents(createLog(() => {}))
  const addrs: string[] = []
  events.on(event => addrs.push('addr' in event ? event.addr : ''))
  const throttledLog = limitLog(createLog(line => lines.push(line)))
  const counts = new AuthFailures({ throttledLog, events, now: () => now })
  const fail = (addr: string) => counts.add(addr)('key').warn('rest', addr)
  for (const addr of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) fail(addr)
  now = 59_999
  fail('10.0.0.1')
  equal([addrs, lines.length], [['10.0.0.1', '10.0.0.2'], 2])
  now = 60_000
  fail('10.0.0.1')
  is(addrs.length, 3)
  for (let index = 0; index < 1000; index += 1) fail(`10.1.${index >> 8}.${index & 255}`)
  equal([addrs.length, counts.total], [302, 1005])
})

test('a refused login shows its name without control characters, and never the password', async () => {
  const other = await startTestHost()
  const name = `ad\u202emin\r\n${'x'.repeat(50)}`
  is((await other.call('POST /login', { name, password: 'my secret' }, nobody)).status, 401)
  const line = await other.logged(/wrong name or password/)
  await other.stop()
  match(line, /POST \/login from 127\.0\.0\.1: 401, wrong name or password: admin +x+\n$/)
  not(other.log.some(each => each.includes('my secret')))
})

test('logins at once are limited, all others wait or are 429', async () => {
  const other = await startTestHost()
  const guess = (name: string) => other.call('POST /login', { name, password: 'wrong' }, nobody)
  const statuses = (await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`user ${index}`)))).map(
    ({ status }) => status,
  )
  await other.stop()
  equal(statuses.filter(status => status === 401).length, 10)
  ok(statuses.every(status => status === 401 || status === 429))
})

test.run()
