// Failed logins: who guesses waits, and nobody else does.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { PasswordSlots, type SlotKind } from '../../host/access/password-slots.ts'
import { token as apiToken, startTestHost } from '../harness/test-host.ts'

const options = { rest: { port: 0, proxies: ['127.0.0.1'] }, store: { adapter: 'lowdb', path: './data' } }
let lab = await startTestHost({ options })
const password = 'a password of hers'
for (const name of ['anna', 'ben']) await lab.call('POST /user/add', { name, password, role: 'admin' })

/** As from an address of its own. */
const login = (addr: string, name: string, word: string, headers: Record<string, string> = {}) =>
  lab.call('POST /login', { name, password: word }, { Authorization: '', 'X-Forwarded-For': addr, ...headers })
const statusOf = async (...attempt: Parameters<typeof login>) => (await login(...attempt)).status
const guess = async (addr: string, name: string, count: number, headers = {}) => {
  const statuses: number[] = []
  for (let each = 0; each < count; each += 1) statuses.push(await statusOf(addr, name, 'wrong', headers))
  return statuses
}
/** The cookie of a browser in which this user has logged in. */
async function deviceOf(addr: string, name: string): Promise<string> {
  const { status, headers } = await login(addr, name, password)
  is(status, 200, lab.log.at(-1))
  const [, device = ''] = headers['set-cookie'] ?? []
  match(device, /^fleet_device=\d+\.[\w-]{16}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=31536000$/)
  return device.replace(/;.*/, '')
}

const test = suite('limits of failed logins')
test.after(() => lab.stop())

test('a name that is guessed from one address waits there only', async () => {
  equal(await guess('10.0.0.1', 'anna', 5), [401, 401, 401, 401, 429])
  is(await statusOf('10.0.0.1', 'anna', password), 429)
  equal([await statusOf('10.0.0.2', 'anna', password), await statusOf('10.0.0.1', 'ben', password)], [200, 200])
})

test('addresses of one IPv6 network with 64 bits are one', async () => {
  equal(await guess('2001:db8::1', 'anna', 4), [401, 401, 401, 401])
  equal([await statusOf('2001:db8:0:0:ffff::2', 'anna', password)], [429])
  equal([await statusOf('2001:db8:0:1::2', 'anna', password)], [200])
})

test('a browser in which the user has logged in before does not wait, and has a count of its own', async () => {
  const Cookie = await deviceOf('10.0.1.1', 'anna')
  const other = await deviceOf('10.0.1.1', 'ben')
  equal((await guess('10.0.1.1', 'anna', 5)).at(-1), 429)
  for (const wrong of ['', other, `${Cookie.slice(0, -1)}~`, Cookie.replace(/=\d+/, '=2')])
    is(await statusOf('10.0.1.1', 'anna', password, { Cookie: wrong }), 429, wrong)
  is(await statusOf('10.0.1.1', 'anna', password, { Cookie }), 200)
  equal(await guess('10.0.1.1', 'anna', 5, { Cookie }), [401, 401, 401, 401, 429])
  is(await statusOf('10.0.1.2', 'anna', password), 200)
  await lab.stop('keep')
  lab = await startTestHost({ options, folder: lab.folder })
  equal((await guess('10.0.1.1', 'anna', 5)).at(-1), 429)
  const { status, headers } = await login('10.0.1.1', 'anna', password, { Cookie })
  equal([status, headers['set-cookie']?.[1]?.startsWith(`${Cookie};`)], [200, true])
})

test('after ten failures of an address names without a user are 429, and so are wrong passwords of others', async () => {
  for (let index = 0; index < 10; index += 1) is(await statusOf('10.0.2.1', `nobody ${index}`, 'wrong'), 401)
  const refused = await Promise.all(
    ['eleventh', 'anna'].map(async name => [await statusOf('10.0.2.1', name, 'wrong'), lab.log.at(-1)]),
  )
  for (const [status, line] of refused) {
    is(status, 429)
    match(String(line), /from 10\.0\.2\.1: 4(01|29), (wrong name|too many failed logins from this address)/)
  }
  equal([await statusOf('10.0.2.1', 'ben', password), await statusOf('10.0.2.1', 'anna', password)], [200, 200])
})

test('a token does not wait for wrong passwords and tokens', async () => {
  const withToken = async (token: string) => {
    const headers = { Authorization: '', 'X-Forwarded-For': '10.0.3.1' }
    return (await lab.call('POST /login', { token }, headers)).status
  }
  for (let index = 0; index < 12; index += 1) await statusOf('10.0.3.1', `nobody ${index}`, 'wrong')
  for (let index = 0; index < 12; index += 1) is(await withToken('wrong'), 401)
  is(await withToken(apiToken), 200)
})

test('while twenty addresses guess at once, a right password of another one is served', async () => {
  let isOver = false
  const attack = Array.from({ length: 20 }, async (_, index) => {
    while (!isOver) await Promise.all(['anna', 'ben', 'nobody'].map(name => statusOf(`10.0.4.${index}`, name, 'wrong')))
  })
  for (let round = 0; round < 5; round += 1) is(await statusOf('10.0.5.1', 'anna', password), 200)
  isOver = true
  await Promise.all(attack)
})

test('those who wait for a check are served in turns, by kind and then by lane', async () => {
  const slots = new PasswordSlots()
  const order: string[] = []
  const ends: (() => void)[] = []
  const check = (kind: SlotKind, lane: string) =>
    slots.run(kind, lane, () => {
      order.push(`${kind} ${lane}`)
      return new Promise<void>(resolve => ends.push(resolve))
    })
  const checks = [check('failed', 'a'), check('failed', 'a')]
  for (let index = 0; index < 3; index += 1) checks.push(check('failed', 'a'))
  checks.push(check('failed', 'b'), check('new', 'c'), check('known', 'd'), check('known', 'd'))
  for (let index = 0; index < checks.length; index += 1) {
    ends[index]?.()
    await new Promise(setImmediate)
  }
  await Promise.all(checks)
  equal(order.slice(2), ['known d', 'new c', 'failed a', 'known d', 'failed b', 'failed a', 'failed a'])
  ok(!slots.isFull('failed'))
})

test.run()
