// The queue: what waits for a client that is off or busy, in which order it goes out, and what ends it otherwise.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { testClock } from '../harness/manual-clock.ts'
import type { Agent } from '../harness/simulated-agent.ts'
import { type Lab, startLab } from '../harness/test-host.ts'

const clock = testClock()
const lab = await startLab({ clock })
const lasting = { store: { path: './data' } }
let first: Lab | undefined = await startLab({ options: lasting })
let last = 0

const shell = (addr: string, run: string) => ({ clients: [addr], run, echo: true })
const queued = (addr: string, run: string, more = '', at = lab) =>
  at.call(`POST /shell/run?queue=1${more}`, shell(addr, run))

/** A computer with a record, off. */
async function computer(at = lab): Promise<string> {
  last += 1
  const addr = `127.0.9.${last}`
  await at.addComputer(addr)
  return addr
}

interface Told {
  state: string
  reason?: string
  command: string
  output?: string
}

async function partsOf(job: string | string[] | undefined, at = lab, more = ''): Promise<Told[]> {
  return (await at.call(`GET /jobs/${job}${more}`)).json.parts
}

/** Resolves when what has ended so far is stored: outcomes are written soon after they are known. */
async function until(fits: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 5000; !(await fits()); ) {
    if (Date.now() > end) throw new Error('waited 5 s for an outcome')
  }
}

const statesOf = async (job: string | string[] | undefined, at = lab) =>
  (await partsOf(job, at)).map(({ state }) => state)
const become = (job: string | string[] | undefined, states: string[], at = lab) =>
  until(async () => (await statesOf(job, at)).join() === states.join())

async function answered(agent: Agent, path: string, status = 200, body?: object) {
  const request = await agent.next(path)
  agent.answer(status, body)
  return request
}

const test = suite('queue')

test('a command for a client that is off waits and goes out after run/schedule is answered', async () => {
  const addr = await computer()
  const { status, text, headers } = await queued(addr, 'one')
  equal([status, text], [200, ''])
  const job = headers['x-job-id']
  equal(await statesOf(job), ['queued'])
  const agent = await lab.agent(addr, { auto: false })
  await answered(agent, '/refresh')
  const told = await agent.next('/run/schedule')
  equal([told.method, told.body], ['GET', undefined])
  equal(await statesOf(job), ['queued'])
  agent.answer(200)
  equal((await answered(agent, '/shell/run', 200, { out: 'done' })).body, { run: 'one', echo: true })
  await become(job, ['success'])
  const [part] = await partsOf(job, lab, `?client=${addr}`)
  equal([part?.output, part?.command], ['done', 'shell-run'])
})

test('the first refresh lets the queue go however it ends', async () => {
  const addr = await computer()
  await queued(addr, 'one')
  const agent = await lab.agent(addr, { auto: false })
  await answered(agent, '/refresh', 500)
  await answered(agent, '/run/schedule')
  await agent.next('/shell/run')
})

test('a client that is free gets its command at once, also with queue=1', async () => {
  const addr = await computer()
  const agent = await lab.agent(addr)
  const { headers } = await queued(addr, 'now')
  await answered(agent, '/shell/run')
  await become(headers['x-job-id'], ['success'])
})

test('parts go out one at a time, in order, each when the one before has ended, with one run/schedule', async () => {
  const addr = await computer()
  for (const run of ['one', 'two', 'three']) await queued(addr, run)
  const agent = await lab.agent(addr)
  await answered(agent, '/run/schedule')
  const statuses = [200, 500, 200]
  for (const [index, run] of ['one', 'two', 'three'].entries()) {
    equal((await answered(agent, '/shell/run', statuses[index])).body, { run, echo: true })
  }
  await lab.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

test('a command for a busy client waits until the client is free', async () => {
  const addr = await computer()
  const agent = await lab.agent(addr)
  await lab.call('POST /shell/run', shell(addr, 'direct'))
  await agent.next('/shell/run')
  const { headers } = await queued(addr, 'later')
  equal(await statesOf(headers['x-job-id']), ['queued'])
  agent.answer(200)
  await answered(agent, '/run/schedule')
  equal((await answered(agent, '/shell/run')).body, { run: 'later', echo: true })
  await become(headers['x-job-id'], ['success'])
})

for (const status of [400, 500, 503]) {
  test(`run/schedule answered ${status} opens the queue too`, async () => {
    const addr = await computer()
    await queued(addr, 'one')
    const agent = await lab.agent(addr)
    await answered(agent, '/run/schedule', status)
    await agent.next('/shell/run')
  })
}

test('without an answer to run/schedule the parts wait for the next refresh of a new connection', async () => {
  const addr = await computer()
  const { headers } = await queued(addr, 'one')
  const agent = await lab.agent(addr)
  await agent.next('/run/schedule')
  const gone = lab.event('client-gone', { addr })
  agent.destroy()
  await gone
  equal(await statesOf(headers['x-job-id']), ['queued'])
  const again = await lab.agent(addr)
  await answered(again, '/run/schedule')
  await again.next('/shell/run')
})

test('a part that was handed over when the connection was lost is a failure, the rest waits for the next one', async () => {
  const addr = await computer()
  const jobs = [(await queued(addr, 'one')).headers['x-job-id'], (await queued(addr, 'two')).headers['x-job-id']]
  const agent = await lab.agent(addr)
  await answered(agent, '/run/schedule')
  await agent.next('/shell/run')
  agent.destroy()
  await become(jobs[0], ['failure'])
  is((await partsOf(jobs[0]))[0]?.reason, 'connection lost')
  equal(await statesOf(jobs[1]), ['queued'])
  const again = await lab.agent(addr)
  await answered(again, '/run/schedule')
  equal((await answered(again, '/shell/run')).body, { run: 'two', echo: true })
  await become(jobs[1], ['success'])
})

test('expiry runs for the first part only, from queueing or from the end of the part before it', async () => {
  const addr = await computer()
  const jobs: (string | string[] | undefined)[] = []
  for (const run of ['one', 'two', 'three']) jobs.push((await queued(addr, run)).headers['x-job-id'])
  await clock.advance(899_000)
  equal(await statesOf(jobs[0]), ['queued'])
  await clock.advance(1_000)
  await become(jobs[0], ['expired'])
  equal(await statesOf(jobs[1]), ['queued'])
  const agent = await lab.agent(addr)
  await answered(agent, '/run/schedule')
  await agent.next('/shell/run')
  await clock.advance(7_200_000)
  equal(await statesOf(jobs[2]), ['queued'])
  agent.answer(200)
  await answered(agent, '/shell/run')
  await become(jobs[1], ['success'])
  await become(jobs[2], ['success'])
})

test('expires=<seconds> sets how long a part may wait', async () => {
  const addr = await computer()
  const { headers } = await queued(addr, 'one', '&expires=10')
  await clock.advance(10_000)
  await become(headers['x-job-id'], ['expired'])
})

test('an address without a record is skipped as unknown, also with queue=1', async () => {
  const { headers } = await queued('10.6.6.6', 'one')
  const [part] = await partsOf(headers['x-job-id'])
  equal([part?.state, part?.reason], ['skipped', 'unknown'])
})

test('wake=1 wakes those that are off', async () => {
  const addr = await computer()
  await queued(addr, 'one', '&wake=1')
  const { json } = await lab.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr)?.state, 'WOL_SENT')
})

for (const query of ['queue=2', 'queue=1&expires=x', 'queue=1&expires=0', 'expires=5', 'wake=1', 'queue=1&wake=yes']) {
  test(`?${query} is 400 and nothing is queued or sent`, async () => {
    const addr = await computer()
    const agent = await lab.agent(addr)
    is((await lab.call(`POST /shell/run?${query}`, shell(addr, 'one'))).status, 400)
    await lab.call('POST /hardware', { clients: [addr] })
    await agent.next('/hardware')
  })
}

test('cancelled parts are not sent; one that is out already ends by itself', async () => {
  const addr = await computer()
  const jobs = [(await queued(addr, 'one')).headers['x-job-id'], (await queued(addr, 'two')).headers['x-job-id']]
  is((await lab.call('POST /job/cancel', { id: String(jobs[0]) })).status, 200)
  await become(jobs[0], ['cancelled'])
  const agent = await lab.agent(addr)
  await answered(agent, '/run/schedule')
  equal((await agent.next('/shell/run')).body, { run: 'two', echo: true })
  is((await lab.call('POST /job/cancel', { id: String(jobs[1]) })).status, 200)
  agent.answer(200)
  await become(jobs[1], ['success'])
})

test('deleting a computer cancels its queue', async () => {
  const addr = await computer()
  const { headers } = await queued(addr, 'one')
  await lab.call('POST /client/delete', { clients: [addr] })
  await become(headers['x-job-id'], ['cancelled'])
  is((await partsOf(headers['x-job-id']))[0]?.reason, 'computer deleted')
})

test('after a restart queued parts go on, a part that was sent is a failure and is never sent again', async () => {
  if (!first) throw new Error('the first lab is gone')
  const addr = await computer(first)
  const [one, two] = [
    (await queued(addr, 'one', '', first)).headers['x-job-id'],
    (await queued(addr, 'two', '', first)).headers['x-job-id'],
  ]
  const agent = await first.agent(addr)
  await answered(agent, '/run/schedule')
  await agent.next('/shell/run')
  // As after a crash: the daemon goes while the command runs and hears nothing more.
  const { folder } = first
  await first.stop('keep')
  first = undefined
  const second = await startLab({ options: lasting, folder })
  try {
    equal(await statesOf(two, second), ['queued'])
    await become(one, ['failure'], second)
    const again = await second.agent(addr)
    await answered(again, '/run/schedule')
    equal((await answered(again, '/shell/run')).body, { run: 'two', echo: true })
    await become(two, ['success'], second)
  } finally {
    await second.stop()
  }
})

test.after(async () => {
  await first?.stop()
  await lab.stop()
})
test.run()
