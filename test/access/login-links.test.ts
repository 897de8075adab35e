// POST /login/link: a link that logs a browser on the server in, once and for a minute.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { checkLoopback } from '../../host/access/login.ts'
import { version } from '../../host/system/version.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startTestHost } from '../harness/test-host.ts'

const clock = createManualClock()
const token = { value: 'the token of this host' }
const lab = await startTestHost({ clock, token })
const nobody = { Authorization: '' }
const asAdmin = () => ({ Authorization: token.value })

async function linkOf(headers: Record<string, string> = asAdmin()): Promise<string> {
  const { status, json } = await lab.call('POST /login/link', undefined, headers)
  is(status, 200, lab.log.at(-1))
  is(json.seconds, 60)
  const [, secret = ''] = /^\/console#login=([\w-]{43})$/.exec(json.path) ?? []
  return secret
}
const login = (link: unknown) => lab.call('POST /login', { link }, nobody)
const logged = (reason: RegExp) => lab.logged(reason)

const test = suite('login by a link')
test.after(() => lab.stop())

test('a link opens a session of the caller who asked for it, and counts once', async () => {
  const link = await linkOf()
  const { status, json, headers } = await login(link)
  equal([status, json.name], [200, 'admin'])
  match(String(headers['set-cookie']), /^fleet_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  is((await login(link)).status, 401)
  await logged(/POST \/login from 127\.0\.0\.1: 401, the link was used before, or is too old/)
})

test('the session has no more rights than the caller, and its link ends with the account', async () => {
  const center = await lab.call('POST /center/add', { name: 'Science' }, asAdmin())
  const room = { name: 'Lab', netmask: '255.255.255.0', center: Number(center.headers['x-id']) }
  is((await lab.call('POST /room/add', room, asAdmin())).status, 200)
  const { json: reader } = await lab.call('POST /token/add', { name: 'reader', role: 'read', rooms: [1] }, asAdmin())
  const headers = { Authorization: reader.token }
  const caller = { name: 'token reader', role: 'read', centers: [], rooms: [1], version }
  equal((await login(await linkOf(headers))).json, caller)
  const link = await linkOf(headers)
  await lab.call('POST /token/delete', { id: String(reader.id) }, asAdmin())
  is((await login(link)).status, 401)
})

test('a link ends when the token or password of who asked for it is replaced', async () => {
  const link = await linkOf()
  token.value = 'the next token of this host'
  is((await login(link)).status, 401)
  is(
    (await lab.call('POST /user/add', { name: 'anna', password: 'the first of hers', role: 'read' }, asAdmin())).status,
    200,
  )
  const session = await lab.call('POST /login', { name: 'anna', password: 'the first of hers' }, nobody)
  const [cookie = ''] = [session.headers['set-cookie']].flat()
  const ofAnna = await linkOf({ ...nobody, Cookie: String(cookie).split(';')[0] ?? '' })
  const [{ id }] = (await lab.call('GET /users', undefined, asAdmin())).json.users
  const changed = { id: String(id), password: 'the second of hers' }
  is((await lab.call('POST /user/update', changed, asAdmin())).status, 200)
  is((await login(ofAnna)).status, 401)
})

test('a link counts for a minute', async () => {
  const [early, late] = [await linkOf(), await linkOf()]
  await clock.advance(59_000)
  is((await login(early)).status, 200)
  await clock.advance(1_000)
  is((await login(late)).status, 401)
})

test('of more than 100 links that nobody opens the oldest ends', async () => {
  const first = await linkOf()
  const second = await linkOf()
  for (let links = 2; links <= 100; links += 1) await linkOf()
  equal([(await login(first)).status, (await login(second)).status], [401, 200])
})

test('an invented link, and one that is no text, is refused; without a token nobody gets one', async () => {
  is((await login('x'.repeat(43))).status, 401)
  for (const link of [7, 'x'.repeat(65)]) is((await login(link)).status, 400)
  is((await lab.call('POST /login/link', undefined, nobody)).status, 401)
})

test('a link is neither made for nor taken from another computer', () => {
  const refusalFor = (caller: string) =>
    checkLoopback({ caller, identify() {}, about() {}, header: () => '', isSecure: false })?.status
  equal(['10.1.1.20', '2001:db8::1', '127.0.0.1', '::1'].map(refusalFor), [403, 403, undefined, undefined])
})

test.run()
