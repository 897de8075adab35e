// Named tokens: how they are added, which requests they open, and what becomes of their secrets.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { token as adminToken, startTestHost } from '../harness/test-host.ts'

const clock = createManualClock('2026-09-14T08:00:00Z')
const now = Date.parse('2026-09-14T08:00:00Z') / 1000
const lab = await startTestHost({ clock, options: { store: { adapter: 'lowdb', path: './data' } } })
await lab.addComputer('127.0.0.2')

const secrets: string[] = []

async function addToken(fields: object): Promise<{ id: number; token: string }> {
  const { status, json } = await lab.call('POST /token/add', fields)
  is(status, 200, lab.log.at(-1))
  secrets.push(json.token)
  return json
}

const get = (token: string, route = 'GET /clients') => lab.call(route, undefined, { Authorization: token })
const listed = async (id: number) =>
  (await lab.call('GET /tokens')).json.tokens.find((each: { id: number }) => each.id === id)

const test = suite('named tokens')
test.after(() => lab.stop())

test('a token is answered once with its id: fh_<id>_<43 characters of base64url>', async () => {
  const { status, json, headers } = await lab.call('POST /token/add', { name: 'first', role: 'read' })
  secrets.push(json.token)
  equal([status, Object.keys(json), headers['x-id']], [200, ['id', 'token'], String(json.id)])
  match(json.token, new RegExp(`^fh_${json.id}_[\\w-]{43}$`))
  const { text, json: list } = await lab.call('GET /tokens')
  not.match(text, json.token.slice(-43))
  not.match(text, 'hash')
  equal(list.tokens, [
    {
      id: json.id,
      name: 'first',
      role: 'read',
      centers: [],
      rooms: [],
      created: now,
      by: 'admin',
      disabled: false,
      used: 0,
      expires: 0,
    },
  ])
})

test('a token is accepted in the forms of the API token', async () => {
  const { token } = await addToken({ name: 'forms', role: 'read' })
  const basic = `Basic ${Buffer.from(`anyone:${token}`).toString('base64')}`
  for (const header of [token, `Bearer ${token}`, basic]) is((await get(header)).status, 200)
  is((await lab.call(`GET /events?token=${token}`, undefined, { Authorization: '' })).status, 200)
})

test('a token that is changed in any way is 401', async () => {
  const { id, token } = await addToken({ name: 'changed', role: 'admin' })
  const last = token.at(-1) === 'A' ? 'B' : 'A'
  const other = token.replace(`fh_${id}_`, `fh_${id - 1}_`)
  const wrong = [`${token.slice(0, -1)}${last}`, `${token}A`, token.slice(0, -1), other, token.replace('fh_', 'fh_0x')]
  for (const text of [...wrong, `fh_${id}_`, 'fh_999_', token.toUpperCase()]) {
    const { status, headers } = await get(text)
    equal([text, status, headers['www-authenticate'], headers['x-reason']], [text, 401, 'Basic', undefined])
  }
})

test('a token without the needed role is 403 with an empty body and the reason', async () => {
  const { token } = await addToken({ name: 'reader', role: 'read' })
  is((await get(token)).status, 200)
  const { status, text, headers } = await lab.call(
    'POST /shell/run',
    { clients: ['127.0.0.2'], run: 'id', echo: false },
    { Authorization: token },
  )
  equal([status, text], [403, ''])
  is(headers['x-reason'], 'expected the role operate, got read')
  ok(await lab.logged(/POST \/shell\/run from 127.0.0.1: 403, expected the role operate, got read/))
  is((await get(token, 'GET /tokens')).status, 403)
})

test('an expired token is 401, and one that is going to expire is not', async () => {
  const { id, token } = await addToken({ name: 'short', role: 'read', expires: now + 60 })
  is((await get(token)).status, 200)
  await clock.advance(60_000)
  is((await get(token)).status, 401)
  await lab.call('POST /token/update', { id: String(id), expires: 0 })
  is((await get(token)).status, 200)
})

test('an expiry in the past is refused, also when a duration was meant', async () => {
  for (const expires of [3600, now]) {
    const { status, headers } = await lab.call('POST /token/add', { name: 'past', role: 'read', expires })
    equal([status, headers['x-reason']], [400, `expires: expected seconds since 1970 in the future, got ${expires}`])
  }
})

test('a disabled token is 401 until it is enabled again', async () => {
  const { id, token } = await addToken({ name: 'switch', role: 'read' })
  const update = (disabled: boolean) => lab.call('POST /token/update', { id: String(id), disabled })
  is((await update(true)).status, 200)
  is((await get(token)).status, 401)
  is((await update(false)).status, 200)
  is((await get(token)).status, 200)
})

test('a new role counts from the next request on, and a deleted token is 401', async () => {
  const { id, token } = await addToken({ name: 'promoted', role: 'read' })
  is((await get(token, 'GET /tokens')).status, 403)
  await lab.call('POST /token/update', { id: String(id), role: 'admin', name: 'chief' })
  is((await get(token, 'GET /tokens')).status, 200)
  is((await get(token, 'GET /me')).json.name, 'token chief')
  is((await lab.call('POST /token/delete', { id: String(id) })).status, 200)
  is((await get(token)).status, 401)
  is(await listed(id), undefined)
})

test('unknown ids, names that exist, and unknown rooms and centers are 400 with the reason', async () => {
  const { id } = await addToken({ name: 'taken', role: 'read' })
  const add = (more: object) => ['POST /token/add', { name: 'new', role: 'read', ...more }] as const
  const cases = [
    [...add({ name: 'taken' }), 'name: expected a new one, got one that exists'],
    [...add({ rooms: [99] }), 'rooms: expected ids of rooms, got one that does not exist'],
    [...add({ centers: [99] }), 'centers: expected ids of centers, got one that does not exist'],
    [
      'POST /token/update',
      { id: String(id), rooms: [99] },
      'rooms: expected ids of rooms, got one that does not exist',
    ],
    ['POST /token/update', { id: '99', name: 'x' }, 'id: there is no token 99'],
    ['POST /token/delete', { id: '99' }, 'id: there is no token 99'],
  ] as const
  for (const [route, payload, reason] of cases) {
    const { status, headers } = await lab.call(route, payload)
    equal([route, status, headers['x-reason']], [route, 400, reason])
  }
})

test('the last use is shown at once, and written at most every 5 minutes and at the end', async () => {
  const { id, token } = await addToken({ name: 'used', role: 'read' })
  is((await listed(id)).used, 0)
  await get(token)
  const used = Math.floor(clock.now() / 1000)
  is((await listed(id)).used, used)
  await clock.advance(5 * 60_000)
  await get(token)
  is((await listed(id)).used, used + 300)
})

test('an admin token adds tokens, which show who added them', async () => {
  const { token } = await addToken({ name: 'root', role: 'admin' })
  const { json } = await lab.call('POST /token/add', { name: 'child', role: 'read' }, { Authorization: token })
  secrets.push(json.token)
  is((await listed(json.id)).by, 'token root')
})

test('/me shows the caller, the API token is admin', async () => {
  const { token } = await addToken({ name: 'who', role: 'operate', rooms: [1] })
  const { last_event_id, ...who } = (await get(token, 'GET /me')).json
  equal(who, { name: 'token who', role: 'operate', centers: [], rooms: [1], version })
  equal((await lab.call('GET /me')).json, {
    name: 'admin',
    role: 'admin',
    centers: [],
    rooms: [],
    version,
    last_event_id,
  })
})

test('no secret of a token is in the log or in a file of the daemon, also after a restart', async () => {
  await lab.stop('keep')
  const next = await startTestHost({
    clock,
    folder: lab.folder,
    options: { store: { adapter: 'lowdb', path: './data' } },
  })
  try {
    const rows = (await next.call('GET /tokens')).json.tokens
    ok(rows.find(({ name, used }: { name: string; used: number }) => name === 'used' && used > now))
    const first = secrets[0] ?? ''
    is((await next.call('GET /clients', undefined, { Authorization: first })).status, 200)
    const files = readdirSync(lab.folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile())
    ok(files.length > 2 && secrets.length > 8)
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    for (const text of [...texts, ...lab.log, ...next.log]) {
      for (const secret of [...secrets.map(each => each.slice(-43)), adminToken]) not(text.includes(secret))
    }
  } finally {
    await next.stop()
  }
})

test.run()
