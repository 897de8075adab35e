// The site files of contract 3 are never changed: each version of the daemon loads and runs them as they were written.
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { createLab } from '../../host/test-kit/lab.ts'
import { contractFiles, usedKeys } from '../harness/contract-files.ts'
import type pack from './3/checks/pack.ts'

const folder = join(import.meta.dirname, '3')
const files = contractFiles(folder)

const lab = await createLab<typeof pack>({
  folder,
  pack: 'checks',
  start: '2026-03-03T00:30:00',
  clients: 3,
  settings: { folder: '/srv', server: { url: 'https://checks.example', password: 'not to be seen' } },
  options: { rest: { port: 0, open_metrics: true } },
})
const [first = '', second = '', third = ''] = lab.addresses
const [client] = lab.clients

const test = suite('contract 3')
test.after(() => lab.stop())

/** Of commands, hooks, views and packs, as host/contract had them when this contract was frozen. */
const keys = `contract settings collections
  summary group example route aliases returns mediaType confirm assistants imaging endsFailures heavy access scoped
  http http.queryToken http.browserLogin http.startPage http.rest http.anyBody http.openWith
  payload audit audit.computer audit.preview body query checkRights accept preflight preview answer act
  forward forward.to forward.body forward.deadline forward.whileBusy forward.showsBusy forward.expectsReply
  forward.endsOnClose forward.endsOn202 forward.onConnect forward.beforeQueue forward.statusReasons
  forward.unsupported forward.reply forward.checkReply forward.onReply
  on every cron before onError each run check
  view title data
  version`.split(/\s+/)

test('all files are in service without a notice, and use every key', async () => {
  const { modules } = (await lab.get('/modules')).json
  const loaded = modules.filter(({ origin }: { origin: string }) => origin !== 'built-in')
  equal(
    loaded.filter(({ version, contract }: { version?: number; contract: number }) => version !== 1 || contract !== 3),
    [],
  )
  is(loaded.length, files.length)
  equal(await usedKeys(files, ['forward', 'http', 'audit']), keys.sort())
  equal(
    lab.log.filter(line => /deprecated|contract 2/.test(line)),
    [],
  )
})

test('a command has the settings and documents of its pack', async () => {
  client?.replyTo('POST /shell/run', { out: '7 ok' })
  is((await lab.post('/checks/run', { clients: [first], number: '7' })).status, 200)
  equal(client?.requests.at(-1)?.body, { run: '/srv/7', echo: true })
  equal((await lab.collections.results.get(first))?.value, { word: 'ok', runs: 1, key: 'sesame' })
  const { json } = await lab.post('/checks/run?dry_run=1', { clients: [first], number: '7' })
  is(json.clients[0].before, 'ok')
  const { token } = (await lab.post('/token/add', { name: 'teacher', role: 'operate', rooms: [1] })).json
  const ofTeacher = { Authorization: token }
  const tenth = await lab.post('/checks/run', { clients: [first], number: '10' }, ofTeacher)
  match(tenth.reason, /teacher may run checks 1 to 9/)
  match((await lab.post('/checks/run', { clients: [first], number: '0' })).reason, /expected a check, got 0/)
})

test('what a reply says of a computer is a failure, an alert, and a success where it is not supported', async () => {
  const check = async (out: string, status = 200) => {
    client?.replyTo('POST /shell/run', { out }, status)
    const { headers } = await lab.post('/checks/run', { clients: [first], number: '7' })
    const [part] = (await lab.get(`/jobs/${headers['x-job-id']}`)).json.parts
    return [part.state, part.reason]
  }
  equal(await check('7 broken'), ['failure', 'check says broken'])
  ok(lab.log.some(line => line.includes(`checks/failing of ${first}: check says broken`)))
  equal(await check('8 ok'), ['failure', 'reply not understood: number: expected 7'])
  equal((await check('', 507))[0], 'failure')
  is((await check('', 404))[0], 'success')
})

test('hooks decide before a command, and a check that fails lets it pass where it says so', async () => {
  await lab.post('/pack/settings', { pack: 'quiet-hours', settings: { rooms: [1] } })
  const { json } = await lab.post('/checks/run?dry_run=1', { clients: [second], number: '7' })
  match(JSON.stringify(json), /a lesson is given/)
  await lab.post('/pack/settings', { pack: 'quiet-hours', settings: {} })
  match((await lab.post('/checks/run', { clients: [second], number: '6' })).reason, /check-run: not for/)
  is((await lab.post('/checks/run', { clients: [second], number: '8' })).status, 200)
})

test('hooks run after events and at times, as their pack', async () => {
  const jobs = async () => (await lab.collections.jobs.get('check-run'))?.value.count ?? 0
  const before = await jobs()
  ok(before > 0)
  await lab.advance('2 hours')
  ok(lab.log.some(line => line.includes('say-hello.ts: alive')))
  ok((await jobs()) > before)
  const { jobs: listed } = (await lab.get('/jobs?limit=1')).json
  equal([listed[0].name, listed[0].by], ['check-run', 'pack checks'])
  await client?.login('ann')
  await client?.logout('ann')
  await lab.settle()
  const users = await lab.get('/packs')
  is(users.json.packs.find(({ name }: { name: string }) => name === 'log-ins').documents, 1)
})

test('views of each kind show what the pack has', async () => {
  const view = async (path: string) => (await lab.get(`/view/${path}`)).json
  const card = await view(`check-card?client=${first}`)
  equal(card.lines[0], { label: 'Last check', value: 'broken', tone: 'bad' })
  equal((await view(`last-note?client=${first}`)).lines, [{ label: 'Note', value: 'none' }])
  const marks = await view(`check-mark?clients=${first},${third}`)
  equal(marks.badges, [{ client: first, text: '!', tone: 'bad', title: 'the check has failed' }])
  is((await view('check-count')).figure.unit, 'checks')
  const page = await view('check-page')
  is(page.rows[0].client, first)
  is(page.actions.length, 3)
  ok((await view('check-chart')).series.length > 0)
})

test('a write of a record warns, previews, and refuses', async () => {
  equal((await lab.post('/checks/forget', { ip: first, dry_run: true })).json, { word: 'broken' })
  const { json, headers } = await lab.post('/checks/forget', { ip: first })
  equal([json, headers['x-warning']], [{ word: 'broken' }, 'the next check makes it anew'])
  is((await lab.post('/checks/forget', { ip: first })).status, 400)
  match((await lab.get('/checks?word=ok')).text, /^client,word\r\n/)
  match((await lab.get('/checks?word=7')).reason, /expected letters/)
})

test('a wrong setting is refused in the words of its format', async () => {
  const refusal = async (settings: object) => (await lab.post('/pack/settings', { pack: 'checks', settings })).reason
  match(await refusal({ from: 'noon' }), /from: expected an ISO time, got "noon"/)
  match(await refusal({ mail: 'ann' }), /mail: expected an address of a mail, got "ann"/)
  match(await refusal({ server: { url: 'x' } }), /server\.url: expected an address such as https:/)
  match(await refusal({ server: { url: 'http://x', password: null } }), /server\.password: expected one/)
  is(await refusal({ from: '2026-03-04T00:00:00+01:00' }), '')
  const { json } = await lab.post('/checks/run?dry_run=1', { clients: [second], number: '7' })
  match(JSON.stringify(json), /too early/)
})

test('single files have settings and documents, pages, metrics, and act themselves', async () => {
  equal((await lab.post('/site/note', { text: 'buy chalk' })).json, { note: 'buy chalk', length: '9 letters' })
  is((await lab.call('POST /site/note', 'no json')).json.note, 'buy chalk')
  const open = { Authorization: '' }
  is((await lab.get('/door/style.css', open)).headers['cache-control'], 'no-store')
  is((await lab.get('/site/metrics', open)).text.split('\n').length, 4)
  is((await lab.get('/site/start')).status, 200)
  const { headers } = await lab.post('/site/wipe', { clients: [first, second] })
  const { parts } = (await lab.get(`/jobs/${headers['x-job-id']}`)).json
  equal(
    parts.map(({ state }: { state: string }) => state),
    ['skipped', 'success'],
  )
  await lab.post('/lesson/end', { clients: [third] })
  is(lab.clients[2]?.requests.at(-1)?.path, '/poweroff')
  ok(!lab.log.some(line => line.includes('not to be seen')))
})

test.run()
