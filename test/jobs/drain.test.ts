// Draining before a restart: what is refused, what goes on, what waits, and when nothing runs any more.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { replyToNext, shellPayload, shellStep, startLab } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { startSite } from '../harness/site-folder.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const reason = 'the daemon drains before a restart and accepts no new work'
const drain = async ({ call }: TestHost, payload?: object) => (await call('POST /drain', payload)).json
const stateOf = async ({ call }: TestHost) => (await call('GET /drain')).json

const test = suite('drain')

test('while the daemon drains, everything that starts work is 400 with the reason, and nothing is sent', async () => {
  const lab = await startTestHost()
  const agent = await lab.agent('127.0.41.1')
  await lab.addComputer(agent.addr)
  const clients = [agent.addr]
  const steps = [shellStep('x')]
  await lab.call('POST /procedure/add', { center: '1', name: 'One', steps })
  await lab.call('POST /task/add', { center: '1', name: 'One', steps: [{ procedure: 1 }] })
  const failed = lab.event('job-finished')
  await lab.call('POST /hardware', { clients })
  await agent.next('/hardware')
  agent.answer(500)
  await failed
  const before = agent.requests.length
  equal(await drain(lab), { draining: true, running: 0, queued: 0, running_jobs: [] })
  const starts: [string, object][] = [
    ['POST /clients', { clients }],
    ['POST /shell/run', shellPayload(agent.addr, 'x')],
    ['POST /shell/run?queue=1', shellPayload(agent.addr, 'x')],
    ['POST /stop', { clients }],
    ['POST /wol', { clients: ['127.0.41.2'], type: 'broadcast' }],
    ['POST /task/run', { task: '1' }],
    ['POST /procedure/run', { clients, procedure: '1' }],
    ['POST /job/retry', { id: '1' }],
  ]
  for (const [route, payload] of starts) {
    const { status, text, headers } = await lab.call(route, payload)
    equal([route, status, text, headers['x-reason']], [route, 400, '', reason])
  }
  is((await lab.call('GET /jobs')).json.jobs.length, 1)
  is(agent.requests.length, before)
  await lab.stop()
})

test('reads, records and connecting agents go on, and /readyz shows that the daemon drains', async () => {
  const lab = await startTestHost()
  await drain(lab)
  await lab.addComputer('127.0.41.3')
  const agent = await lab.agent('127.0.41.3')
  equal(
    agent.requests.map(({ path }) => path),
    ['/refresh'],
  )
  is((await lab.call('GET /clients')).json.clients[0].state, 'OPG')
  const { status, json } = await lab.call('GET /readyz')
  equal([status, json], [503, { ready: false, reasons: ['drain: no new work is accepted'] }])
  await lab.stop()
})

test('/readyz shows at once that draining begins and that it is cancelled', async () => {
  const lab = await startTestHost()
  const statusOf = async () => (await lab.call('GET /readyz')).status
  const statuses = [await statusOf()]
  await drain(lab)
  statuses.push(await statusOf())
  await drain(lab, { cancel: true })
  statuses.push(await statusOf())
  await lab.stop()
  equal(statuses, [200, 503, 200])
})

test('a part that runs is counted until it has ended', async () => {
  const lab = await startLab({ subnet: '127.0.42' })
  const { queueShell } = lab
  const [direct, queued] = [await lab.agent('127.0.42.101'), await lab.agent('127.0.42.102')]
  await lab.addComputer(queued.addr)
  const { headers } = await lab.call('POST /shell/run', shellPayload(direct.addr, 'x'))
  const first = Number(headers['x-job-id'])
  await direct.next('/shell/run')
  await lab.call('POST /shell/run', shellPayload(queued.addr, 'now'))
  await queued.next('/shell/run')
  const waiting = await queueShell(queued.addr, 'later')
  const { running, queued: depth, running_jobs } = await drain(lab)
  equal([running, depth, running_jobs[0]], [2, 1, { id: first, running: 1 }])
  direct.answer(200, { out: '' })
  queued.answer(200, { out: '' })
  await pollUntil(async () => (await stateOf(lab)).running === 0)
  equal((await lab.call(`GET /jobs/${waiting}`)).json.parts[0].state, 'queued')
  match(lab.log.join(''), /jobs: draining: no new work is accepted; parts: 2 running, 1 queued/)
  await lab.stop()
})

test('what the daemon itself does for a client counts as running', async () => {
  const { lab, save, stop } = await startSite()
  await save(
    'slow.ts',
    `const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }
let end
export default {
  summary: 'x', route: 'POST /slow', payload,
  act: () => new Promise(resolve => { end = resolve }),
}
globalThis.finishSlow = () => end({ result: 'success' })
`,
  )
  const response = lab.call('POST /slow', { clients: ['127.0.42.1'] })
  await pollUntil(async () => (await stateOf(lab)).running === 1)
  is((await drain(lab)).running, 1)
  Reflect.get(globalThis, 'finishSlow')()
  is((await response).status, 200)
  is((await stateOf(lab)).running, 0)
  await stop()
})

test('queued parts neither go out nor expire while the daemon drains, and go out when that is cancelled', async () => {
  const clock = createManualClock()
  const lab = await startLab({ subnet: '127.0.43', clock })
  const { queueShell, newComputer, jobs } = lab
  const addr = await newComputer()
  const job = await queueShell(addr, 'later', '&expires=60')
  await drain(lab)
  await clock.advance(61_000)
  const agent = await lab.agent(addr)
  await clock.advance(61_000)
  equal(await jobs.states(job), ['queued'])
  equal(
    agent.requests.map(({ path }) => path),
    ['/refresh'],
  )
  equal(await drain(lab, { cancel: true }), { draining: false, running: 0, queued: 1, running_jobs: [] })
  await replyToNext(agent, '/run/schedule')
  await replyToNext(agent, '/shell/run')
  await jobs.finished(job)
  equal(await jobs.states(job), ['success'])
  is((await lab.call('GET /readyz')).status, 200)
  await lab.stop()
})

test('parts that a schedule queues while the daemon drains run after its restart', async () => {
  const options = { store: { path: './data' } }
  const before = await startTestHost({ options })
  await before.addComputer('127.0.44.1')
  await before.call('POST /procedure/add', { center: '1', name: 'Procedure', steps: [shellStep('x')] })
  await before.call('POST /task/add', { center: '1', name: 'Task', steps: [{ procedure: 1 }] })
  await before.agent('127.0.44.1')
  await drain(before)
  const created = before.event('job-created')
  is((await before.call('POST /schedule/create', { task: '1', name: 'now', type: 'task' })).status, 200)
  const { job } = await created
  await pollUntil(async () => (await stateOf(before)).running === 0)
  is((await stateOf(before)).queued, 1)
  await before.stop('keep')
  const after = await startTestHost({ options, folder: before.folder })
  is((await stateOf(after)).draining, false)
  const finished = after.event('job-finished', { job })
  const agent = await after.agent('127.0.44.1')
  await replyToNext(agent, '/run/schedule')
  await replyToNext(agent, '/shell/run')
  equal((await finished).counts, { success: 1 })
  await after.stop()
})

test.run()
