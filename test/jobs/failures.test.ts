// Failures of computers: they stay, whatever the computer does, until the command succeeds there or somebody has seen them.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { inside, outside, startLab } from '../harness/lab.ts'
import { startSite } from '../harness/site-folder.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

interface FailureJson {
  client: string
  command: string
  job: number
  reason: string
  time: string
}

const payloads: Record<string, object> = {
  '/shell/run': { run: 'id', echo: true },
  '/session': { disk: '1', partition: '1' },
}

/** Runs a command on one client, whose agent replies with the status, and resolves to its job. */
async function run(testHost: TestHost, addr: string, path: string, status: number, payload = {}): Promise<number> {
  const agent = await testHost.agent(addr, { auto: { '/refresh': { status: 200 }, [path]: { status } } })
  const jobs = followJobs(testHost)
  await testHost.logged(new RegExp(`agent ${addr.replaceAll('.', '\\.')}`))
  const job = jobIdOf(await testHost.call(`POST ${path}?queue=1`, { clients: [addr], ...payloads[path], ...payload }))
  await jobs.finished(job)
  const gone = testHost.event('client-gone', { addr })
  agent.destroy()
  await gone
  return job
}

const failuresOf = async ({ call }: Pick<TestHost, 'call'>): Promise<FailureJson[]> =>
  (await call('GET /failures')).json.failures
const listed = async (testHost: Pick<TestHost, 'call'>) =>
  (await failuresOf(testHost)).map(({ client, command, job, reason }) => [client, command, job, reason])

const breaking = `export default {
  summary: 'Fail on each client',
  route: 'POST /break',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  act: () => ({ result: 'failure', reason: '${'no space left on device '.repeat(4)}' }),
}`

const options = { store: { path: './data' } }
const test = suite('failures of computers')

test('a failure stays when the computer goes off and the daemon restarts, until the same command succeeds there', async () => {
  const addr = '127.0.90.1'
  const before = await startTestHost({ options })
  await before.addComputer(addr)
  equal(await failuresOf(before), [])
  await run(before, addr, '/shell/run', 200)
  const job = await run(before, addr, '/shell/run', 500)
  const expected = [[addr, 'shell-run', job, 'agent replied 500']]
  equal(await listed(before), expected)
  await run(before, addr, '/session', 200)
  equal(await listed(before), expected)
  await before.stop('keep')
  const after = await startTestHost({ options, folder: before.folder })
  equal(await listed(after), expected)
  is(Number.isNaN(Date.parse((await failuresOf(after))[0]?.time ?? '')), false)
  await run(after, addr, '/shell/run', 200)
  equal(await listed(after), [])
  await after.stop('keep')
  const last = await startTestHost({ options, folder: before.folder })
  equal(await listed(last), [])
  await last.stop()
})

test('a script that succeeds ends the failure of no other script, also after a restart', async () => {
  const addr = '127.0.90.7'
  const before = await startTestHost({ options })
  await before.addComputer(addr)
  const first = await run(before, addr, '/shell/run', 500)
  equal(await failuresOf(before).then(found => found.length), 1)
  const second = await run(before, addr, '/shell/run', 501, { run: 'apt upgrade' })
  const expected = [
    [addr, 'shell-run', first, 'agent replied 500'],
    [addr, 'shell-run', second, 'agent replied 501'],
  ]
  const sorted = async (host: TestHost) => (await listed(host)).sort((a, b) => Number(a[2]) - Number(b[2]))
  equal(await sorted(before), expected)
  await before.stop('keep')
  const after = await startTestHost({ options, folder: before.folder })
  equal(await sorted(after), expected)
  await run(after, addr, '/shell/run', 200, { run: 'apt upgrade' })
  equal(await listed(after), expected.slice(0, 1))
  await after.stop('keep')
  const last = await startTestHost({ options, folder: before.folder })
  equal(await listed(last), expected.slice(0, 1))
  await last.stop()
})

test('failure/seen ends all failures of a computer, also after a restart, and those of no other one', async () => {
  const [seen, other] = ['127.0.90.2', '127.0.90.3']
  const before = await startTestHost({ options })
  await before.addComputer(seen)
  await before.addComputer(other)
  await run(before, seen, '/shell/run', 500)
  await run(before, seen, '/session', 500)
  const job = await run(before, other, '/session', 500)
  is((await failuresOf(before)).length, 3)
  const part = before.event('job-part', { addr: seen, state: 'success' })
  is((await before.call('POST /failure/seen', { clients: [seen] })).status, 200)
  is((await part).command, 'failure-seen')
  const expected = [[other, 'session', job, 'agent replied 500']]
  equal(await listed(before), expected)
  await before.stop('keep')
  const after = await startTestHost({ options, folder: before.folder })
  equal(await listed(after), expected)
  const again = await run(after, seen, '/session', 500)
  equal(await listed(after), [[seen, 'session', again, 'agent replied 500'], ...expected])
  await after.stop()
})

test('what was skipped or cancelled is no failure', async () => {
  const addr = '127.0.90.4'
  const testHost = await startTestHost()
  await testHost.addComputer(addr)
  await failuresOf(testHost)
  await testHost.call('POST /shell/run', { clients: [addr, '10.9.9.9'], run: 'id', echo: true })
  const queued = await testHost.call('POST /shell/run?queue=1', { clients: [addr], run: 'id', echo: true })
  await testHost.call('POST /job/cancel', { id: String(jobIdOf(queued)) })
  equal(await failuresOf(testHost), [])
  await testHost.stop()
})

test('a deleted computer has no failures, also after a restart', async () => {
  const [deleted, other] = ['127.0.90.5', '127.0.90.6']
  const before = await startTestHost({ options })
  for (const addr of [deleted, other]) {
    await before.addComputer(addr)
    await run(before, addr, '/shell/run', 500)
  }
  is((await failuresOf(before)).length, 2)
  await before.call('POST /client/delete', { clients: [deleted] })
  equal(
    (await failuresOf(before)).map(({ client }) => client),
    [other],
  )
  await before.stop('keep')
  const after = await startTestHost({ options, folder: before.folder })
  equal(
    (await failuresOf(after)).map(({ client }) => client),
    [other],
  )
  await after.stop()
})

test('a limited caller reads and ends the failures of its rooms only', async () => {
  const lab = await startLab({ scope: true })
  const { addToken } = lab
  const [[here = ''], [there = '']] = [inside, outside]
  await run(lab, here, '/shell/run', 500)
  await run(lab, there, '/shell/run', 500)
  const own = await addToken('own', 'operate')
  const reader = await addToken('reader', 'read')
  equal(
    (await own.call('GET /failures')).json.failures.map(({ client }: FailureJson) => client),
    [here],
  )
  is(await own.status('POST /failure/seen', { clients: [there] }), 403)
  is(await reader.status('POST /failure/seen', { clients: [here] }), 403)
  is(await own.status('POST /failure/seen', { clients: [here] }), 200)
  equal(
    (await failuresOf(lab)).map(({ client }) => client),
    [there],
  )
  await lab.stop()
})

test('hundreds of failures come in pages, within the response limit', async () => {
  const site = await startSite()
  await site.save('break.ts', breaking)
  const clients = Array.from({ length: 1200 }, (_, at) => `10.8.${at >> 8}.${at & 255}`)
  await failuresOf(site.lab)
  is((await site.lab.call('POST /break', { clients })).status, 200)
  const pages: number[] = []
  const found = new Set<string>()
  let after: string | undefined = ''
  do {
    const { json } = await site.lab.call(`GET /failures?after=${encodeURIComponent(after)}`)
    for (const { client } of json.failures) found.add(client)
    pages.push(json.failures.length)
    after = json.next
  } while (after !== undefined)
  equal(pages, [500, 500, 200])
  is(found.size, 1200)
  await site.stop()
})

test.run()
