// Hooks with `before`: what they refuse, skip and allow, for each way in which a command begins.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { replyToNext } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'

const test = suite('hooks that decide')

const addr = '127.0.0.2'
const other = '127.0.0.3'
const run = { clients: [addr], run: 'true', echo: false }

type Site = Awaited<ReturnType<typeof startSite>>

async function call({ lab }: Site, route: string, payload: object) {
  const { status, headers } = await lab.call(route, payload)
  return { status, reason: decodeURIComponent(String(headers['x-reason'] ?? '')) }
}

const before = (body: string, more = '') => `
export default {
  summary: 'Decide',
  before: ['shell-run'],
  ${more}
  async check({ command, payload, clients, rights, services }) {
    ${body}
  },
}
`

/** A site with a hook, and two computers of which none is connected. */
async function startWith(body: string, more = '') {
  const site = await startSite()
  await site.save('exam.ts', before(body, more))
  await site.lab.addComputer(addr)
  await site.lab.addComputer(other)
  const parts = async (query = '', clients = [addr]) => {
    const response = await site.lab.call(`POST /shell/run${query}`, { ...run, clients })
    const id = response.headers['x-job-id']
    const { json } = await site.lab.call(`GET /jobs/${id}`)
    return json.parts.map((part: { client: string; state: string; reason?: string }) => [
      part.client,
      part.state,
      part.reason,
    ])
  }
  return { ...site, parts }
}

test('a refusal names the hook, for a request and in the audit log', async () => {
  const site = await startWith(`return services.refuse('an exam until noon')`)
  const { status, reason } = await call(site, 'POST /shell/run', run)
  is(status, 400)
  is(reason, 'hook exam: an exam until noon')
  const { text } = await site.lab.call('GET /audit')
  match(text, 'hook exam before shell-run')
  await site.stop()
})

test('a command that no hook names is not asked about', async () => {
  const site = await startWith(`return services.refuse('an exam')`)
  is((await site.lab.call('POST /poweroff', { clients: [addr] })).status, 200)
  await site.stop()
})

test('clients that a hook skips have their reason in the job, others are sent the command', async () => {
  const site = await startWith(`return new Map([['${other}', 'in use']])`)
  equal(await site.parts('?queue=1', [addr, other]), [
    [other, 'skipped', 'hook exam: in use'],
    [addr, 'queued', undefined],
  ])
  await site.stop()
})

test('a check gets the command, a frozen payload, the clients and the rights of the caller', async () => {
  const site = await startWith(`
    payload.run = 'false'
    return services.refuse([command, payload.run, clients, rights.name].join(' '))`)
  is((await call(site, 'POST /shell/run', run)).reason, `hook exam: shell-run true ${addr} admin`)
  await site.stop()
})

test('a check that throws refuses', async () => {
  const site = await startWith(`throw new Error('no calendar')`)
  const { status, reason } = await call(site, 'POST /shell/run', run)
  is(status, 403)
  is(reason, 'hook exam has failed: no calendar')
  await site.stop()
})

test('a check that answers something else refuses', async () => {
  const site = await startWith(`return 'yes'`)
  match((await call(site, 'POST /shell/run', run)).reason, /expected nothing, a refusal or a Map, got/)
  await site.stop()
})

test('a check that takes longer than two seconds refuses', async () => {
  const site = await startWith(`await new Promise(() => {})`)
  match((await call(site, 'POST /shell/run', run)).reason, /expected an answer within 2 s/)
  await site.stop()
})

test('with onError allow a check that throws lets the command pass', async () => {
  const site = await startWith(`throw new Error('no calendar')`, `onError: 'allow',`)
  is((await site.lab.call('POST /shell/run', run)).status, 200)
  await site.stop()
})

test('of several hooks the first refusal wins, and skipped clients add up', async () => {
  const site = await startWith(`return new Map([['${addr}', 'one']])`)
  await site.save('lesson.ts', before(`return new Map([['${other}', 'two']])`))
  equal(await site.parts('?queue=1', [addr, other]), [
    [addr, 'skipped', 'hook exam: one'],
    [other, 'skipped', 'hook lesson: two'],
  ])
  await site.save('lesson.ts', before(`return services.refuse('never')`))
  is((await call(site, 'POST /shell/run', run)).reason, 'hook lesson: never')
  await site.stop()
})

test('dry_run shows what a hook would say, also of a command without checks of its own', async () => {
  const site = await startWith(`return new Map([['${other}', 'in use']])`)
  const ask = async () =>
    (await site.lab.call('POST /shell/run?dry_run=1', { ...run, clients: [addr, other] })).json.clients
  equal(await ask(), [
    { client: addr, refused: 'not connected' },
    { client: other, refused: 'hook exam: in use' },
  ])
  await site.save('exam.ts', before(`return services.refuse('an exam')`))
  equal(
    (await ask()).map(({ refused }: { refused: string }) => refused),
    ['hook exam: an exam', 'hook exam: an exam'],
  )
  equal((await site.lab.call('GET /jobs')).json.jobs, [])
  await site.stop()
})

test('a task that has a refused step does not begin', async () => {
  const site = await startWith(`return services.refuse('an exam')`)
  const steps = [{ command: 'shell-run', params: { run: 'true', echo: false } }]
  await site.lab.call('POST /procedure/add', { center: '1', name: 'run', steps })
  const { status, reason } = await call(site, 'POST /procedure/run', { procedure: '1', clients: [addr] })
  is(status, 400, reason)
  match(reason, 'step shell-run: hook exam: an exam')
  await site.stop()
})

test('a queued part is asked about again when it is sent', async () => {
  const site = await startWith('')
  const { headers } = await site.lab.call('POST /shell/run?queue=1', run)
  await site.save('exam.ts', before(`return services.refuse('an exam')`))
  const ended = site.lab.event('job-part', { addr, state: 'skipped' })
  await replyToNext(await site.lab.agent(addr), '/run/schedule')
  is((await ended).reason, 'hook exam: an exam')
  is(headers['x-job-id'], '1')
  await site.stop()
})

test('a retry is asked about again', async () => {
  const site = await startWith('')
  await site.parts()
  await site.save('exam.ts', before(`return services.refuse('an exam')`))
  match((await call(site, 'POST /job/retry', { id: '1' })).reason, 'step shell-run: hook exam: an exam')
  await site.stop()
})

test('a paused hook is not asked', async () => {
  const site = await startWith(`return services.refuse('an exam')`)
  is((await site.lab.call('POST /hook/pause', { hook: 'exam' })).status, 200)
  is((await site.lab.call('POST /shell/run', run)).status, 200)
  is((await site.lab.call('POST /hook/resume', { hook: 'exam' })).status, 200)
  is((await site.lab.call('POST /shell/run', run)).status, 400)
  await site.stop()
})

test('a hook whose file is broken from the start refuses what it named before', async () => {
  const store = { path: './data' }
  const site = await startSite({ store })
  await site.save('exam.ts', before(''))
  await pollUntil(async () => (await site.lab.call('GET /hooks')).json.hooks[0]?.state === 'waiting')
  await site.lab.stop('keep')
  site.write('exam.ts', 'export default {')
  const next = await startSite({ commands: [site.folder], store }, { folder: site.lab.folder })
  const { status, reason } = await call(next, 'POST /shell/run', run)
  equal([status, reason], [403, 'hook exam/exam has failed: its file could not be loaded'])
  await next.stop()
})

test.run()
