// The site files of contract 2 are never changed: each version of the daemon loads and runs them as they were written.
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { contractFiles, usedKeys } from '../harness/contract-files.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import type { CallResponse } from '../harness/rest-call.ts'

const folder = join(import.meta.dirname, '2')
const files = contractFiles(folder)

const lab = await startLab({
  subnet: '127.0.9',
  rooms: true,
  options: { commands: [folder], rest: { port: 0, open_metrics: true } },
})
const agent = await lab.agent('127.0.9.1', { auto: { '/site': { status: 200, body: { room: 'A' } } } })

const test = suite('contract 2')
test.after(() => lab.stop())

/** Of a command and of its `forward`, as host/contract had them when contract 3 came. */
const keys = `summary group example route aliases returns mediaType destructive needsConsent imaging endsFailures heavy
  access scoped openOption queryToken browserLogin startPage rest payload computerKey previewKey body query checkRights
  accept answer preflight preview act forward
  forward.to forward.body forward.deadline forward.whileBusy forward.showsBusy forward.expectsReply forward.endsOnClose
  forward.endsOn202 forward.onConnect forward.createsImage forward.beforeQueue forward.statusReasons forward.reply
  forward.checkReply forward.onReply`.split(/\s+/)

test('all files are in service, and use every key', async () => {
  const { modules } = (await lab.call('GET /modules')).json
  const loaded = modules.filter(({ origin }: { origin: string }) => origin === folder)
  equal(
    loaded.filter(({ version }: { version?: number }) => version !== 1),
    [],
  )
  is(loaded.length, files.length)
  ok(files.length >= 12)
  equal(await usedKeys(files, ['forward']), keys.sort())
})

test('a read answers JSON, with its query checked', async () => {
  equal((await lab.call('GET /states')).json, { states: { OPG: 1 } })
  equal((await lab.call('GET /site/list?room=1')).json.computers.length, 2)
  match(reasonOf(await lab.call('GET /site/list?room=x')), /\?room: expected digits, got "x"/)
})

test('a command is sent as its body says, and its reply is stored', async () => {
  const payload = { clients: ['127.0.9.1'], text: 'hello' }
  const id = jobIdOf(await lab.call('POST /message', payload))
  equal((await agent.next('/shell/run')).body, { run: "wall 'hello'", echo: true })
  const ended = lab.event('command-ended', { addr: '127.0.9.1' })
  agent.answer(200, { out: 'shown' })
  is((await ended).result, 'success')
  is(await lab.output('127.0.9.1'), 'shown')
  is((await lab.call(`GET /jobs/${id}`)).json.parts[0].state, 'success')
  match(reasonOf(await lab.call('POST /message', { ...payload, text: "it's" })), /expected no quotes/)
})

const reasonOf = ({ headers }: CallResponse) => String(headers['x-reason'])

const runCheck = async (out: string) => {
  await lab.call('POST /check/run', { clients: ['127.0.9.1'], number: '7' })
  equal((await agent.next('/shell/run')).body, { run: '/opt/checks/7', echo: true })
  const ended = lab.event('command-ended', { addr: '127.0.9.1' })
  agent.answer(200, { out })
  return ended
}

test('a reply can be refused, and can say that the command has failed', async () => {
  is((await runCheck('7 ok')).result, 'success')
  is((await runCheck('7 broken')).reason, 'check says broken')
  match((await runCheck('8 ok')).reason ?? '', /^reply not understood: number: expected 7/)
})

test('the daemon itself acts, skips, and previews', async () => {
  const clients = ['127.0.9.1', '127.0.9.9']
  const { json } = await lab.call('POST /known/wake?dry_run=1', { clients })
  equal(
    json.clients.map(({ client, quiet }: { client: string; quiet?: boolean }) => [client, quiet]),
    [
      ['127.0.9.1', false],
      ['127.0.9.9', false],
    ],
  )
  const id = jobIdOf(await lab.call('POST /known/wake', { clients }))
  const { parts } = (await lab.call(`GET /jobs/${id}`)).json
  equal(
    parts.map(({ state }: { state: string }) => state),
    ['success', 'skipped'],
  )
})

test('a write of a record warns, previews, and refuses', async () => {
  const named = { ip: '127.0.9.2', name: 'studio' }
  equal((await lab.call('POST /label', { ...named, dry_run: true })).json.to, 'studio')
  const { status, headers } = await lab.call('POST /label', named)
  equal([status, headers['x-warning']], [200, 'the new name is shown after the next refresh'])
  is((await lab.call('POST /label', { ...named, ip: '127.0.9.99' })).status, 400)
})

test('texts, paths below a route, open pages, and metrics without a token', async () => {
  const open = { Authorization: '' }
  is((await lab.call('GET /door', undefined, open)).status, 200)
  is((await lab.call('GET /door/style.css', undefined, open)).headers['cache-control'], 'no-store')
  is((await lab.call('GET /door/none', undefined, open)).status, 404)
  is((await lab.call('GET /site/metrics', undefined, open)).text, 'site_client{addr="127.0.9.1"} 1\n')
  is((await lab.call('GET /site/start')).status, 200)
})

test('a file of plain JavaScript keeps what it has in memory', async () => {
  const { headers, json } = await lab.call('POST /site/note', { text: 'buy chalk' })
  equal([headers['x-id'], json.note], ['1', 'buy chalk'])
  is((await lab.call('POST /site/note')).json.note, 'buy chalk')
})

test('what needs no reply is a success when it is written', async () => {
  const ended = lab.event('command-ended', { addr: '127.0.9.1', command: 'lesson-end' })
  await lab.call('POST /lesson/end', { clients: ['127.0.9.1'] })
  await agent.next('/poweroff')
  is((await ended).result, 'success')
})

test.run()
