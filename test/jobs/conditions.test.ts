// Conditions of jobs: when their queued parts may be sent, and when they expire.
import { suite } from 'uvu'
import { equal, match } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext } from '../harness/lab.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const subnet = '127.0.83'
const step = (run: string) => ({ command: 'shell-run', params: { run, echo: false } })
const layout = { status: 200, body: { disk_setup: [], partition_setup: [] } }

async function startLab(options: Parameters<typeof startTestHost>[0] = {}) {
  const clock = createManualClock()
  const host = await startTestHost({ clock, ...options })
  const jobs = followJobs(host)
  let names = 0
  return {
    clock,
    host,
    jobs,
    /** Runs a task on clients, and resolves to the job's id. */
    async run(clients: string[], taskOptions: object, steps = [step('x')]): Promise<number> {
      names += 1
      const name = `Night ${names}`
      await host.call('POST /procedure/add', { center: '1', name, steps })
      const procedure = (await host.call('GET /procedures')).json.procedures.at(-1).id
      await host.call('POST /task/add', { center: '1', name, steps: [{ procedure }], clients, options: taskOptions })
      const id = (await host.call('GET /tasks')).json.tasks.at(-1).id
      return jobIdOf(await host.call('POST /task/run', { task: String(id) }))
    },
  }
}

const test = suite('conditions of jobs')

/** A client whose agent replies to everything but scripts. */
async function client(host: TestHost, number: number): Promise<Agent> {
  const addr = `${subnet}.${number}`
  const { json } = await host.call('GET /scopes')
  if (!JSON.stringify(json).includes(`"${addr}"`)) await host.addComputer(addr)
  return host.agent(addr, { auto: { '/refresh': layout, '/run/schedule': { status: 200 } } })
}

test('a part with when_idle waits while somebody is logged in, and is sent at the logout', async () => {
  const { host, jobs, run } = await startLab()
  const agent = await client(host, 1)
  const login = host.event('session-login', { addr: agent.addr })
  agent.event('start', 'ana')
  await login
  const job = await run([agent.addr], { when_idle: true })
  const opened = () => agent.requests.some(({ path }) => path === '/run/schedule')
  await pollUntil(opened)
  const part = async () => (await host.call(`GET /jobs/${job}`)).json.parts[0]
  await pollUntil(async () => (await part()).waiting !== undefined)
  equal([(await part()).state, (await part()).waiting], ['queued', { for: 'logout' }])
  agent.event('stop', 'ana')
  await replyToNext(agent, '/shell/run')
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success'],
  )
  await host.stop()
})

test('a client that is gone takes its login with it: its part is sent when it is back', async () => {
  const { host, run } = await startLab()
  const agent = await client(host, 1)
  const login = host.event('session-login')
  agent.event('start', 'ana')
  await login
  await run([agent.addr], { when_idle: true })
  const gone = host.event('client-gone')
  agent.destroy()
  await gone
  await replyToNext(await client(host, 1), '/shell/run')
  await host.stop()
})

test('what has not been sent until its time expires with that and why it waited, also without a connection', async () => {
  const { clock, host, jobs, run } = await startLab()
  await client(host, 1)
  await host.addComputer(`${subnet}.2`)
  await host.addComputer(`${subnet}.3`)
  const busy = await host.agent(`${subnet}.1`, { auto: { '/refresh': layout, '/run/schedule': { status: 200 } } })
  const first = await run([`${subnet}.1`], {})
  await busy.next('/shell/run')
  const job = await run([`${subnet}.1`, `${subnet}.2`, `${subnet}.3`], { until: '08:45' })
  const sent = host.event('wake-sent', { addr: `${subnet}.3` })
  await host.call('POST /wol', { type: 'unicast', clients: [`${subnet}.3`] })
  await sent
  const until = new Date('2026-03-02T08:45:00').toISOString()
  const woken = new Date('2026-03-02T08:00:00').toISOString()
  equal(
    (await host.call(`GET /jobs/${job}`)).json.parts.map(({ waiting }: { waiting: object }) => waiting),
    [
      { for: 'busy', until },
      { for: 'off', until },
      { for: 'off', woken, until },
    ],
  )
  // Longer than the usual 15 minutes for a client that is off.
  await clock.advance(44 * 60_000)
  equal(await jobs.states(job), ['queued', 'queued', 'queued'])
  await clock.advance(60_000)
  equal(
    (await jobs.finished(job)).map(({ state, reason }) => `${state} ${reason}`),
    ['busy', 'off', `off, woken ${woken}, did not connect`].map(why => `expired not started until ${until}: ${why}`),
  )
  busy.answer(200)
  await jobs.finished(first)
  await host.stop()
})

test('a client that has begun before that time goes on with its next step', async () => {
  const { clock, host, jobs, run } = await startLab()
  const agent = await client(host, 1)
  const job = await run([agent.addr], { until: '08:45' }, [step('restore'), step('power off')])
  await agent.next('/shell/run')
  await clock.advance(46 * 60_000)
  equal(await jobs.states(job), ['sent', 'queued'])
  equal((await host.call(`GET /jobs/${job}`)).json.parts[1].waiting, { for: 'step' })
  agent.answer(200)
  equal((await replyToNext(agent, '/shell/run')).body, { run: 'power off', echo: false })
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success', 'success'],
  )
  await host.stop()
})

test('the time counts over a restart', async () => {
  const folder = { options: { store: { adapter: 'lowdb', path: './data' } } }
  const before = await startLab(folder)
  await before.host.addComputer(`${subnet}.1`)
  const job = await before.run([`${subnet}.1`], { until: '08:45' })
  await before.host.stop('keep')
  const clock = createManualClock('2026-03-02T09:00:00')
  const host = await startTestHost({ ...folder, clock, folder: before.host.folder })
  const jobs = followJobs(host)
  await clock.advance(0)
  await pollUntil(async () => (await jobs.states(job))[0] === 'expired')
  const [part] = await jobs.parts(job)
  match(part?.reason ?? '', /^not started until 2026-03-02T/)
  await host.stop()
})

test('of a batch so many clients run at once, the first ones first, each with all of its steps', async () => {
  const { host, jobs, run } = await startLab()
  const agents: Agent[] = []
  for (const number of [1, 2, 3, 4]) agents.push(await client(host, number))
  const job = await run(
    agents.map(({ addr }) => addr),
    { batch: 2 },
    [step('one'), step('two')],
  )
  const running = async () => (await jobs.states(job)).filter(state => state === 'sent').length
  await pollUntil(async () => (await running()) === 2)
  const order: string[] = []
  for (let at = 0; at < 8; at += 1) {
    const asked = () => agents.find(({ missingReplies }) => missingReplies > 0)
    await pollUntil(() => asked() !== undefined)
    const agent = asked()
    if (!agent) throw new Error('no agent was asked')
    await agent.next('/shell/run')
    order.push(agent.addr)
    equal((await running()) <= 2, true)
    agent.answer(200)
    await pollUntil(async () => (await jobs.states(job)).filter(state => state === 'success').length === at + 1)
  }
  equal(new Set(order.slice(0, 4)).size <= 3, true)
  await jobs.finished(job)
  await host.stop()
})

test.run()
