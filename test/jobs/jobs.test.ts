// Jobs: which requests make a job, and the outcome of each command on each client.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { postgres: true, hosts: true }

const testHost = await startTestHost({ options: { deadlines: { hardware: 0.05 } } })
const jobs = followJobs(testHost)
let addresses = 0

const nextAddress = () => {
  addresses += 1
  return `127.0.10.${addresses}`
}
const shell = (...clients: string[]) => ({ clients, run: 'id', echo: true })

const test = suite('jobs')

test('a forwarding request is answered as specified, with the additional header X-Job-Id', async () => {
  const { status, text, headers } = await testHost.call('POST /shell/run', shell(nextAddress()))
  equal([status, text, headers['content-length']], [200, '', '0'])
  match(String(headers['x-job-id']), /^[1-9]\d*$/)
})

test('a request that is refused makes no job', async () => {
  const before = (await testHost.call('GET /jobs')).json.jobs.length
  const { headers } = await testHost.call('POST /shell/run', { clients: ['x'], run: 'id', echo: true })
  is(headers['x-job-id'], undefined)
  is((await testHost.call('GET /jobs')).json.jobs.length, before)
})

test('each client has one outcome: success, failure with its reason, skipped with its reason', async () => {
  const addrs = Array.from({ length: 7 }, nextAddress)
  const [good = '', bad = '', busy = '', lost = '', off = '', unknown = '', invalid = ''] = addrs
  await testHost.addComputer(off)
  const agents = await Promise.all([good, bad, busy, lost, invalid].map(addr => testHost.agent(addr)))
  const [goodAgent, badAgent, busyAgent, lostAgent, invalidAgent] = agents
  await testHost.call('POST /shell/run', shell(busy))
  await busyAgent?.next('/shell/run')
  const job = jobIdOf(await testHost.call('POST /shell/run', shell(good, bad, busy, lost, off, unknown, invalid)))
  for (const agent of [goodAgent, badAgent, lostAgent, invalidAgent]) await agent?.next('/shell/run')
  goodAgent?.answer(200, { out: 'root ñ' })
  badAgent?.answer(500)
  lostAgent?.destroy()
  invalidAgent?.answer(200, { out: 7 })
  await jobs.finished(job)
  equal(await jobs.outcomes(job), [
    ['success', undefined],
    ['failure', 'agent replied 500'],
    ['skipped', 'busy'],
    ['failure', 'connection lost'],
    ['skipped', 'not connected'],
    ['skipped', 'unknown'],
    ['failure', 'reply not understood: out: expected a string, got 7'],
  ])
  const [part] = await jobs.parts(job, `?client=${good}`)
  equal(part?.output, 'root ñ')
  ok(part?.sent && part.ended && part.sent <= part.ended)
})

test('a missing reply is a failure with that reason', async () => {
  const addr = nextAddress()
  const agent = await testHost.agent(addr)
  const job = jobIdOf(await testHost.call('POST /hardware', { clients: [addr] }))
  await agent.next('/hardware')
  await jobs.finished(job)
  equal(await jobs.outcomes(job), [['failure', 'no answer in time']])
})

test('an interrupted command and the stop that interrupted it have an outcome each', async () => {
  const addr = nextAddress()
  const agent = await testHost.agent(addr)
  const run = jobIdOf(await testHost.call('POST /shell/run', shell(addr)))
  await agent.next('/shell/run')
  const stop = jobIdOf(await testHost.call('POST /stop', { clients: [addr] }))
  await agent.next('/stop')
  agent.answer(500)
  await jobs.finished(run)
  await jobs.finished(stop)
  equal(await jobs.outcomes(run), [['failure', 'interrupted by stop']])
  equal(await jobs.outcomes(stop), [['success', undefined]])
})

test('the part of a power off is sent until the agent is gone, also after its reply', async () => {
  const addr = nextAddress()
  const agent = await testHost.agent(addr)
  const ended = testHost.event('command-ended', { addr, command: 'poweroff' })
  const job = jobIdOf(await testHost.call('POST /poweroff', { clients: [addr] }))
  await agent.next('/poweroff')
  agent.answer(200)
  is((await ended).result, 'success')
  equal(await jobs.states(job), ['sent'])
  agent.destroy()
  await jobs.finished(job)
  equal(await jobs.outcomes(job), [['success', undefined]])
})

test('a wake-up is a job, whose part is sent until the computer connects', async () => {
  const [off, connected, unknown] = [nextAddress(), nextAddress(), nextAddress()]
  await testHost.addComputer(off)
  await testHost.agent(connected)
  const job = jobIdOf(await testHost.call('POST /wol', { clients: [off, connected, unknown], type: 'unicast' }))
  const skipped = [
    ['skipped', 'connected'],
    ['skipped', 'unknown'],
  ]
  equal(await jobs.outcomes(job), [['sent', undefined], ...skipped])
  await testHost.agent(off)
  await jobs.finished(job)
  equal(await jobs.outcomes(job), [['success', undefined], ...skipped])
})

test('reads and records make no job, nor do the first refresh and run/schedule before a queue', async () => {
  const before = (await testHost.call('GET /jobs')).json.jobs[0].id
  const addr = nextAddress()
  await testHost.addComputer(addr)
  await testHost.agent(addr)
  await testHost.call('GET /scopes')
  is((await testHost.call('GET /jobs')).json.jobs[0].id, before)
})

test('retry makes a new job for the clients that failed or were skipped, with the accepted payload', async () => {
  const [good, bad, off] = [nextAddress(), nextAddress(), nextAddress()]
  await testHost.addComputer(off)
  const [goodAgent, badAgent] = [await testHost.agent(good), await testHost.agent(bad)]
  const job = jobIdOf(await testHost.call('POST /shell/run', shell(good, bad, off)))
  await goodAgent.next('/shell/run')
  goodAgent.answer(200)
  await badAgent.next('/shell/run')
  badAgent.answer(500)
  await jobs.finished(job)
  const retryFailed = jobIdOf(await testHost.call('POST /job/retry', { id: String(job), only: 'failed' }))
  equal((await badAgent.next('/shell/run')).body, { run: 'id', echo: true })
  badAgent.answer(200)
  equal(
    (await jobs.finished(retryFailed)).map(({ client, state }) => [client, state]),
    [[bad, 'success']],
  )
  const retryAll = jobIdOf(await testHost.call('POST /job/retry', { id: String(job) }))
  await badAgent.next('/shell/run')
  badAgent.answer(200)
  equal(
    (await jobs.finished(retryAll)).map(({ client, state }) => [client, state]),
    [
      [bad, 'success'],
      [off, 'skipped'],
    ],
  )
  const [newest] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  const read = (route: string) => testHost.call(route).then(({ json }) => json.retry_of)
  equal([newest.id, newest.origin, newest.retry_of], [retryAll, 'retry', job])
  equal([await read(`GET /jobs/${retryAll}`), await read(`GET /job/report?id=${retryAll}`)], [job, job])
  is((await testHost.call('POST /job/retry', { id: String(retryFailed) })).status, 400)
  is((await testHost.call('POST /job/retry', { id: '999999' })).status, 400)
  is((await testHost.call('POST /job/cancel', { id: '999999' })).status, 400)
})

test.after(() => testHost.stop())
test.run()
