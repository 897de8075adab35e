// Jobs: what became of each command on each client, and why.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab({ options: { deadlines: { hardware: 0.05 } } })
let last = 0

interface Told {
  client: string
  state: string
  reason?: string
  command: string
  sent?: string
  ended?: string
}

const next = () => {
  last += 1
  return `127.0.10.${last}`
}
const shell = (...clients: string[]) => ({ clients, run: 'id', echo: true })
const partsOf = async (job: unknown, more = ''): Promise<Told[]> =>
  (await lab.call(`GET /jobs/${job}${more}`)).json.parts
const outcomes = async (job: unknown) => (await partsOf(job)).map(({ state, reason }) => [state, reason])

async function until(job: unknown, fits: (parts: Told[]) => boolean): Promise<Told[]> {
  for (const end = Date.now() + 5000; Date.now() < end; ) {
    const parts = await partsOf(job)
    if (fits(parts)) return parts
  }
  throw new Error(`job ${job} did not get there: ${JSON.stringify(await partsOf(job))}`)
}

const ended = (job: unknown) => until(job, parts => parts.every(({ state }) => state !== 'sent' && state !== 'queued'))

const test = suite('jobs')

test('a forwarding request is answered as specified, with the header X-Job-Id besides', async () => {
  const { status, text, headers } = await lab.call('POST /shell/run', shell(next()))
  equal([status, text, headers['content-length']], [200, '', '0'])
  match(String(headers['x-job-id']), /^[1-9]\d*$/)
})

test('a request that is refused makes no job', async () => {
  const before = (await lab.call('GET /jobs')).json.jobs.length
  const { headers } = await lab.call('POST /shell/run', { clients: ['x'], run: 'id', echo: true })
  is(headers['x-job-id'], undefined)
  is((await lab.call('GET /jobs')).json.jobs.length, before)
})

test('each client has one outcome: success, failure with its reason, skipped with its reason', async () => {
  const [good, bad, busy, lost, off, unknown, odd] = [next(), next(), next(), next(), next(), next(), next()]
  await lab.addComputer(off)
  const agents = await Promise.all([good, bad, busy, lost, odd].map(addr => lab.agent(addr)))
  const [goodAgent, badAgent, busyAgent, lostAgent, oddAgent] = agents
  await lab.call('POST /shell/run', shell(busy))
  await busyAgent?.next('/shell/run')
  const { headers } = await lab.call('POST /shell/run', shell(good, bad, busy, lost, off, unknown, odd))
  for (const agent of [goodAgent, badAgent, lostAgent, oddAgent]) await agent?.next('/shell/run')
  goodAgent?.answer(200, { out: 'root ñ' })
  badAgent?.answer(500)
  lostAgent?.destroy()
  oddAgent?.answer(200, { out: 7 })
  await ended(headers['x-job-id'])
  equal(await outcomes(headers['x-job-id']), [
    ['success', undefined],
    ['failure', 'agent answered 500'],
    ['skipped', 'busy'],
    ['failure', 'connection lost'],
    ['skipped', 'not connected'],
    ['skipped', 'unknown'],
    ['failure', 'answer not understood: out: expected a string, got 7'],
  ])
  const [part] = await partsOf(headers['x-job-id'], `?client=${good}`)
  equal(Object(part).output, 'root ñ')
  ok(part?.sent && part.ended && part.sent <= part.ended)
})

test('no answer in time is a failure with that reason', async () => {
  const addr = next()
  const agent = await lab.agent(addr)
  const { headers } = await lab.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
  await ended(headers['x-job-id'])
  equal(await outcomes(headers['x-job-id']), [['failure', 'no answer in time']])
})

test('an interrupted command and the stop that interrupted it have an outcome each', async () => {
  const addr = next()
  const agent = await lab.agent(addr)
  const run = await lab.call('POST /shell/run', shell(addr))
  await agent.next('/shell/run')
  const stop = await lab.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  agent.answer(500)
  await ended(run.headers['x-job-id'])
  await ended(stop.headers['x-job-id'])
  equal(await outcomes(run.headers['x-job-id']), [['failure', 'interrupted by stop']])
  equal(await outcomes(stop.headers['x-job-id']), [['success', undefined]])
})

test('a wake-up is a job', async () => {
  const [off, on, unknown] = [next(), next(), next()]
  await lab.addComputer(off)
  await lab.agent(on)
  const { headers } = await lab.call('POST /wol', { clients: [off, on, unknown], type: 'unicast' })
  const parts = await partsOf(headers['x-job-id'])
  equal(
    parts.map(({ state, reason }) => [state, reason]),
    [
      ['success', undefined],
      ['skipped', 'connected'],
      ['skipped', 'unknown'],
    ],
  )
})

test('reads and records make no job, nor do the first refresh and run/schedule before a queue', async () => {
  const before = (await lab.call('GET /jobs')).json.jobs[0].id
  const addr = next()
  await lab.addComputer(addr)
  await lab.agent(addr)
  await lab.call('GET /scopes')
  is((await lab.call('GET /jobs')).json.jobs[0].id, before)
})

test('GET /jobs lists counts, the newest first, filtered by state, command, client and limit', async () => {
  const addr = next()
  const agent = await lab.agent(addr)
  const ids: unknown[] = []
  for (const route of ['POST /shell/run', 'POST /session', 'POST /shell/run']) {
    const { headers } = await lab.call(route, { ...shell(addr, '10.5.5.5'), disk: '1', partition: '1' })
    ids.push(Number(headers['x-job-id']))
    await agent.next()
    agent.answer(200)
    await ended(headers['x-job-id'])
  }
  const list = async (query: string) => (await lab.call(`GET /jobs?${query}`)).json.jobs
  const [newest] = await list('limit=1')
  const { created, ...rest } = newest
  match(created, /^\d{4}-\d\d-\d\dT/)
  const none = { queued: 0, sent: 0, failure: 0, expired: 0, cancelled: 0 }
  equal(rest, {
    ...{ id: ids[2], origin: 'request', name: 'shell-run', commands: ['shell-run'] },
    counts: { ...none, success: 1, skipped: 1 },
  })
  const idsOf = (jobs: { id: number }[]) => jobs.map(({ id }) => id)
  equal(idsOf(await list(`client=${addr}`)), [...ids].reverse())
  equal(idsOf(await list(`client=${addr}&command=session`)), [ids[1]])
  equal(idsOf(await list(`client=${addr}&state=success&limit=2`)), [ids[2], ids[1]])
  equal(idsOf(await list(`client=${addr}&state=failure`)), [])
  for (const query of ['state=done', 'limit=x', 'limit=-1']) is((await lab.call(`GET /jobs?${query}`)).status, 400)
})

test('GET /jobs/<id> gives parts in pages of 500, next tells where the following one begins', async () => {
  const clients = Array.from({ length: 1200 }, (_, index) => `10.4.${Math.floor(index / 250)}.${(index % 250) + 1}`)
  const { headers } = await lab.call('POST /shell/run', shell(...clients))
  const seen: string[] = []
  let after = ''
  for (const size of [500, 500, 200]) {
    const { json } = await lab.call(`GET /jobs/${headers['x-job-id']}${after}`)
    is(json.parts.length, size)
    seen.push(...json.parts.map(({ client }: Told) => client))
    after = `?after=${json.next}`
  }
  is(after, '?after=undefined')
  equal(seen, clients)
})

test('a job that does not exist is 400; the route matches only at its end or at a /', async () => {
  for (const path of ['/jobs/999999', '/jobs/x', '/jobs/1/2']) is((await lab.call(`GET ${path}`)).status, 400, path)
  is((await lab.call('GET /jobsX')).status, 404)
})

test('retry makes a new job for the clients that failed or were skipped, with the accepted payload', async () => {
  const [good, bad, off] = [next(), next(), next()]
  await lab.addComputer(off)
  const [goodAgent, badAgent] = [await lab.agent(good), await lab.agent(bad)]
  const { headers } = await lab.call('POST /shell/run', shell(good, bad, off))
  for (const [agent, status] of [
    [goodAgent, 200],
    [badAgent, 500],
  ] as const) {
    await agent.next('/shell/run')
    agent.answer(status)
  }
  await ended(headers['x-job-id'])
  const failed = await lab.call('POST /job/retry', { id: String(headers['x-job-id']), only: 'failed' })
  equal((await badAgent.next('/shell/run')).body, { run: 'id', echo: true })
  badAgent.answer(200)
  await ended(failed.headers['x-job-id'])
  equal(
    (await partsOf(failed.headers['x-job-id'])).map(({ client, state }) => [client, state]),
    [[bad, 'success']],
  )
  const all = await lab.call('POST /job/retry', { id: String(headers['x-job-id']) })
  await badAgent.next('/shell/run')
  badAgent.answer(200)
  await ended(all.headers['x-job-id'])
  equal(
    (await partsOf(all.headers['x-job-id'])).map(({ client, state }) => [client, state]),
    [
      [bad, 'success'],
      [off, 'skipped'],
    ],
  )
  is((await lab.call('POST /job/retry', { id: String(failed.headers['x-job-id']) })).status, 400)
  is((await lab.call('POST /job/retry', { id: '999999' })).status, 400)
  is((await lab.call('POST /job/cancel', { id: '999999' })).status, 400)
})

test('of many new jobs the old ones go without waiting for the hour', async () => {
  const busy = await startLab({ options: { limits: { jobs_count: 5 } } })
  try {
    const listed = async (): Promise<{ id: number }[]> => (await busy.call('GET /jobs?limit=1000')).json.jobs
    for (let count = 0; count < 100; count += 1) await busy.call('POST /shell/run', shell(next()))
    let jobs = await listed()
    for (const end = Date.now() + 5000; jobs.length > 5 && Date.now() < end; ) jobs = await listed()
    equal(
      jobs.map(({ id }) => id),
      [100, 99, 98, 97, 96],
    )
  } finally {
    await busy.stop()
  }
})

test.after(() => lab.stop())
test.run()
