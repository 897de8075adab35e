// The audit log: which requests are recorded, what of them, and what it costs the disk.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import type { AuditRecord } from '../../host/contract/services.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startTestHost } from '../harness/test-host.ts'

const start = '2026-09-30T23:00:00.000Z'
const clock = createManualClock(start)
const lab = await startTestHost({ clock })
await lab.addComputer('127.0.0.2')
const data = join(lab.folder, 'data')

async function addToken(fields: object): Promise<string> {
  const { status, json } = await lab.call('POST /token/add', fields)
  is(status, 200, lab.log.at(-1))
  return json.token
}

let position = ''
/** The records since the last call, or since `work` began. */
async function recordsOf(work: () => Promise<unknown>): Promise<AuditRecord[]> {
  const { json: before } = await lab.call(`GET /audit?after=${position || '2026-09.0'}&limit=1000`)
  await work()
  const { json } = await lab.call(`GET /audit?after=${before.next}&limit=1000`)
  position = json.next
  return json.audit
}

const auditFiles = () =>
  readdirSync(data)
    .filter(name => name.startsWith('audit'))
    .sort()
const auditText = () =>
  auditFiles()
    .map(name => readFileSync(join(data, name), 'utf8'))
    .join('')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const test = suite('audit log')
test.after(() => lab.stop())

test('an accepted write has one record: time, who, address, route, status, clients, job, digest of the body', async () => {
  const body = JSON.stringify({ clients: ['127.0.0.2', '127.3.0.5', '127.3.0.6', '127.3.0.7'] })
  let job = 0
  const records = await recordsOf(async () => {
    job = Number((await lab.call('POST /poweroff', body)).headers['x-job-id'])
  })
  equal(records, [
    {
      time: start,
      who: 'admin',
      address: '127.0.0.1',
      route: 'POST /poweroff',
      status: 200,
      clients: ['127.0.0.2', '127.3.0.5', '127.3.0.6'],
      count: 4,
      names: ['pc-127.0.0.2', '', ''],
      job,
      digest: sha256(body),
    },
  ])
})

test('a refused write has a record, of who has a right token with its name', async () => {
  const token = await addToken({ name: 'reader', role: 'read' })
  const as = { Authorization: token }
  const records = await recordsOf(async () => {
    await lab.call('POST /reboot', { clients: ['127.0.0.2'] }, as)
    await lab.call('POST /center/add', { name: 7 })
    await lab.call('POST /center/add', 'no JSON')
    await lab.call('POST /nothing', {})
    await lab.call('POST /reboot', { clients: ['127.0.0.2'] }, { Authorization: 'wrong' })
  })
  equal(
    records.map(({ who, route, status, count }) => ({ who, route, status, count })),
    [
      { who: 'token reader', route: 'POST /reboot', status: 403, count: 1 },
      { who: 'admin', route: 'POST /center/add', status: 400, count: 0 },
      { who: 'admin', route: 'POST /center/add', status: 404, count: 0 },
      { who: 'admin', route: 'POST /nothing', status: 404, count: 0 },
      // The body of an unknown caller is not read.
      { who: 'nobody', route: 'POST /reboot', status: 401, count: 0 },
    ],
  )
})

test('reads have no record, refused ones and those by POST neither', async () => {
  const records = await recordsOf(async () => {
    await lab.call('GET /clients')
    await lab.call('GET /client/info')
    await lab.call('GET /clients', undefined, { Authorization: 'wrong' })
    await lab.call('POST /schedule/get')
    await lab.call('POST /shell/output', { clients: 'none' })
    await lab.call('POST /shell/output', {}, { Authorization: 'wrong' })
  })
  equal(records, [])
})

test('a login is recorded with the name of the user, a failed one with that of a user who was tried', async () => {
  await lab.call('POST /user/add', { name: 'anna', password: 'a password of hers', role: 'read' })
  const records = await recordsOf(async () => {
    await lab.call('POST /login', { name: 'anna', password: 'a password of hers' }, { Authorization: '' })
    await lab.call('POST /login', { name: 'anna', password: 'not her password' }, { Authorization: '' })
    await lab.call('POST /login', { name: 'a password of hers', password: 'anna' }, { Authorization: '' })
    await lab.call('POST /login', { token: 'a password of hers' }, { Authorization: '' })
  })
  equal(
    records.map(({ who, route, status, name, digest }) => [who, route, status, name, digest]),
    [
      ['user anna', 'POST /login', 200, undefined, undefined],
      ['nobody', 'POST /login', 401, 'anna', undefined],
      ['nobody', 'POST /login', 401, 'an unknown name', undefined],
      ['nobody', 'POST /login', 401, undefined, undefined],
    ],
  )
  not.match(auditText(), 'a password of hers')
})

test('the digest of a body with a password is that of its JSON without it', async () => {
  const password = 'correct horse battery'
  const user = { name: 'berta', password, role: 'read' }
  // Also of a key that was mistyped.
  const records = await recordsOf(async () => {
    await lab.call('POST /user/add', user)
    await lab.call('POST /user/add', { name: 'carla', role: 'read', pasword: password })
  })
  equal(
    records.map(({ status, digest }) => [status, digest]),
    [
      [200, sha256('{"name":"berta","role":"read"}')],
      [400, sha256('{"name":"carla","role":"read"}')],
    ],
  )
  for (const secret of [password, sha256(password), sha256(JSON.stringify(user))]) not.match(auditText(), secret)
})

test('the run of a schedule has a record with who made it, and no address', async () => {
  const command = { clients: ['127.0.0.2'], command: 'wol', params: { type: 'broadcast' } }
  const [run, created] = await recordsOf(() => lab.call('POST /schedule/command', command))
  const { json } = await lab.call('GET /jobs?limit=1')
  const [{ id: job, by }] = json.jobs
  equal(run, { time: start, who: 'admin', address: '', route: 'schedule 1', status: 200, clients: [], count: 0, job })
  equal([created?.route, created?.address, by], ['POST /schedule/command', '127.0.0.1', 'admin'])
})

test('of the wrong tokens of an address five a minute have a record, and then one has the number of the others', async () => {
  await clock.advance(60_000)
  const records = await recordsOf(async () => {
    for (let count = 0; count < 40; count += 1) {
      await lab.call('POST /reboot', { clients: ['127.0.0.2'] }, { Authorization: 'wrong' })
    }
    await clock.advance(60_000)
  })
  equal(
    records.map(({ status, more }) => [status, more]),
    [...Array.from({ length: 5 }, () => [401, undefined]), [401, 35]],
  )
})

test('the records are files of one month each in the data folder, which only the owner can read', async () => {
  await clock.advance(3_600_000)
  await recordsOf(() => lab.call('POST /center/add', { name: 'October' }))
  equal(auditFiles(), ['audit-2026-09.jsonl', 'audit-2026-10.jsonl'])
  is(statSync(data).mode & 0o777, 0o700)
  for (const name of auditFiles()) is(statSync(join(data, name)).mode & 0o777, 0o600)
  match(
    readFileSync(join(data, 'audit-2026-10.jsonl'), 'utf8'),
    /^\{"time":"2026-10-01T00:.*"POST \/center\/add".*\}\n$/,
  )
})

test('GET /audit is paged, the oldest record first, over the ends of months', async () => {
  const { json: all } = await lab.call('GET /audit?since=2026-09-01&limit=1000')
  const times = all.audit.map(({ time }: AuditRecord) => time)
  equal(times, [...times].sort())
  equal([times[0], times.at(-1).slice(0, 7)], [start, '2026-10'])
  const pages: AuditRecord[] = []
  for (let after = '2026-09.0', end = ''; after !== end; ) {
    const { json } = await lab.call(`GET /audit?limit=3&after=${after}`)
    is(json.audit.length <= 3, true)
    pages.push(...json.audit)
    end = after
    after = json.next
  }
  equal(pages, all.audit)
})

test('?since=, ?who= and ?route= filter', async () => {
  const find = async (query: string) => (await lab.call(`GET /audit?limit=1000&${query}`)).json.audit
  equal((await find('since=2026-10-01')).length, 1)
  equal((await find('since=2026-10-01T00:30:00Z')).length, 0)
  const [{ time }] = await find('since=2026-10-01')
  equal((await find(`since=${time}`)).length, 1)
  equal((await find('who=reader')).length, 1)
  equal(await find('who=reader'), await find('who=token%20reader'))
  equal(await find('who=read'), [])
  const routes = async (query: string) => [...new Set((await find(query)).map(({ route }: AuditRecord) => route))]
  equal(await routes('route=/user'), ['POST /user/add'])
  equal(await routes('route=POST%20/login'), ['POST /login'])
  equal(await routes('route=/cent'), [])
})

test('it is refused to who is no admin, and to one who is limited to rooms', async () => {
  const operator = await addToken({ name: 'operator', role: 'operate' })
  const limited = await addToken({ name: 'limited', role: 'admin', rooms: [1] })
  for (const token of [operator, limited]) {
    is((await lab.call('GET /audit', undefined, { Authorization: token })).status, 403)
  }
  for (const query of ['since=yesterday', 'since=2026-13-01', 'limit=0', 'limit=5000', 'after=x']) {
    is((await lab.call(`GET /audit?${query}`)).status, 400, query)
  }
})

test.run()
