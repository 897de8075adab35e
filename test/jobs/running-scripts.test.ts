// Scripts while they run: what they print comes in pieces, a job is stopped, and a script has a timeout.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { message } from '../../host/test-kit/agent-http.ts'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { sayHello } from '../harness/hello.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { scriptPayload, startLab } from '../harness/lab.ts'

export const runs = { hosts: true }

const lab = await startLab({ subnet: '127.0.47', scope: true })
const { sendToNewAgent, output, jobs } = lab

const print = (agent: Agent, out: string, more: object = {}) =>
  agent.send(message(103, { event: 'output', out, ...more }))

/** A new agent that knows the keys of scripts, with a script that it runs. */
async function runOnNewAgent(addr: string, more: object = {}) {
  const agent = await lab.agent(addr)
  const known = lab.event('client-hello', { addr })
  sayHello(agent, { name: 'pc', keys: ['pieces', 'timeout'] })
  await known
  const job = jobIdOf(await lab.call('POST /shell/run', { clients: [addr], ...scriptPayload, ...more }))
  return { addr, agent, job, request: await agent.next('/shell/run') }
}

const timeoutOf = ({ body }: { body: unknown }) =>
  body instanceof Object && 'timeout' in body ? Number(body.timeout) : Number.NaN

const partOf = async (job: number, addr: string) => (await jobs.parts(job, `?client=${addr}`))[0]

const test = suite('running scripts')
test.after(() => lab.stop())

test('agents that have said so are asked for pieces of the output, others get what the specification says', async () => {
  const { agent, request } = await runOnNewAgent('127.0.48.1', { timeout: 60 })
  equal(request.body, { ...scriptPayload, pieces: true, timeout: 60 })
  agent.answer(200, { out: '' })
  const family = await sendToNewAgent('POST /shell/run', { ...scriptPayload, timeout: 60 })
  equal(family.request.body, scriptPayload)
  family.agent.answer(200, { out: '' })
  const silent = await runOnNewAgent('127.0.48.2', { echo: false })
  equal(silent.request.body, { run: 'true', echo: false })
  silent.agent.answer(200, {})
})

test('what a running script prints is an event, and is read with POST /shell/output', async () => {
  const { addr, agent, job } = await runOnNewAgent('127.0.48.3')
  const first = lab.event('job-output', { addr })
  print(agent, 'one\n')
  equal(await first, { type: 'job-output', addr, job, step: 0, text: 'one\n' })
  is(await output(addr), 'one\n')
  const second = lab.event('job-output', { addr })
  print(agent, 'three\n', { omitted: 4 })
  equal(await second, { type: 'job-output', addr, job, step: 0, text: 'three\n', omitted: 4 })
  is(await output(addr), 'one\n[4 characters left out]\nthree\n')
  agent.answer(200, { out: 'one\ntwo\nthree\n', status: 0 })
  await jobs.finished(job)
  is((await partOf(job, addr))?.output, 'one\ntwo\nthree\n')
})

test('the rest of the output is an event before the end of the part', async () => {
  const { addr, agent, job } = await runOnNewAgent('127.0.48.4')
  const order: string[] = []
  for (const type of ['job-output', 'job-part'] as const) void lab.event(type, { addr }).then(() => order.push(type))
  print(agent, 'last')
  agent.answer(200, { out: 'last', status: 0 })
  await jobs.finished(job)
  equal(order, ['job-output', 'job-part'])
})

test('what was printed is kept when the job is stopped, when the connection is lost, and when the time is over', async () => {
  const ends = {
    'interrupted by stop of admin': async (_: Agent, job: number) => {
      is((await lab.call('POST /job/stop', { id: String(job) })).status, 200)
    },
    'connection lost': async (agent: Agent) => agent.destroy(),
    'ended after 7 s': async (agent: Agent) => agent.answer(200, { out: 'half', status: 143, timed_out: true }),
  }
  for (const [at, [reason, end]] of Object.entries(ends).entries()) {
    await lab.addComputer(`127.0.48.${10 + at}`)
    const { addr, agent, job } = await runOnNewAgent(`127.0.48.${10 + at}`, { timeout: 7 })
    const printed = lab.event('job-output', { addr })
    print(agent, 'half')
    await printed
    await end(agent, job)
    await jobs.finished(job)
    const part = await partOf(job, addr)
    equal([part?.state, part?.reason, part?.output], ['failure', reason, 'half'])
    is(await output(addr), 'half')
  }
})

test('an agent that cannot end the script itself has no more time than the timeout', async () => {
  const { ended } = await sendToNewAgent('POST /shell/run', { ...scriptPayload, timeout: 1 })
  equal((await ended).reason, 'no answer in time')
})

test('a script ends at a time of day, counted from when it is sent, or after its timeout before', async () => {
  const end = new Date(Date.now() + 3 * 3_600_000)
  const time = end.toTimeString().slice(0, 'hh:mm'.length)
  const { addr, agent, job, request } = await runOnNewAgent('127.0.48.5', { end_at: time })
  const seconds = (end.setSeconds(0, 0) - Date.now()) / 1000
  const timeout = timeoutOf(request)
  ok(timeout >= seconds && timeout < seconds + 60)
  const { parts } = (await lab.call(`GET /jobs/${job}`)).json
  match(parts[0].running.deadline, end.toISOString().slice(0, -'00.000Z'.length))
  agent.answer(200, { out: '', status: 143, timed_out: true })
  await jobs.finished(job)
  is((await partOf(job, addr))?.reason, `ended at ${time}`)
  is(timeoutOf((await runOnNewAgent('127.0.48.6', { end_at: time, timeout: 60 })).request), 60)
})

test('a timeout is a number of seconds up to a week', async () => {
  for (const timeout of [0, 0.5, 604_801, '60'])
    is((await lab.call('POST /shell/run', { clients: ['127.0.48.1'], ...scriptPayload, timeout })).status, 400)
})

test('a stop of a job reaches only the clients that run a part of it, and cancels what waits', async () => {
  const { addr, agent, job } = await runOnNewAgent('127.0.48.20')
  const other = await runOnNewAgent('127.0.48.21')
  const waiting = jobIdOf(await lab.call('POST /shell/run?queue=1', { clients: [addr], ...scriptPayload }))
  is((await lab.call('POST /job/stop', { id: String(waiting) })).status, 200)
  await jobs.finished(waiting)
  equal(await jobs.outcomes(waiting), [['cancelled', 'stopped by admin']])
  is((await partOf(job, addr))?.state, 'sent')
  await lab.call('POST /job/stop', { id: String(job) })
  await agent.next('/stop')
  await jobs.finished(job)
  is((await partOf(other.job, other.addr))?.state, 'sent')
  other.agent.answer(200, { out: '', status: 0 })
  agent.answer(500)
  await jobs.finished(other.job)
  is((await lab.call('POST /job/stop', { id: '99999' })).status, 400)
})

test('a limited caller stops the parts of its computers', async () => {
  const { call } = await lab.addToken('stops', 'operate')
  const [own, others] = ['127.0.31.1', '127.0.32.1']
  const agents = await Promise.all([own, others].map(addr => lab.agent(addr)))
  const job = jobIdOf(await lab.call('POST /shell/run', { clients: [own, others], ...scriptPayload }))
  for (const agent of agents) await agent.next('/shell/run')
  const stop = (clients: string[]) => lab.call('POST /job/stop', { id: String(job), clients })
  const { headers } = await stop(['127.0.48.1'])
  is(headers['x-reason'], `clients: expected clients of job ${job}, got 127.0.48.1`)
  const ended = lab.event('job-part', { addr: own })
  is((await call('POST /job/stop', { id: String(job) })).status, 200)
  await ended
  is((await partOf(job, others))?.state, 'sent')
  agents[1]?.answer(200, { out: '' })
  const outside = jobIdOf(await lab.call('POST /shell/run?queue=1', { clients: [others], ...scriptPayload }))
  is((await call('POST /job/stop', { id: String(outside) })).status, 403)
})

test('pieces that nobody has asked for are ignored, and many of them close the connection', async () => {
  const { addr, agent } = await sendToNewAgent()
  for (let count = 0; count < 100; count += 1) print(agent, 'x')
  await agent.closed
  match(lab.log.join('\n'), new RegExp(`${addr}.*got 100 messages without a request`))
})

test('an agent that sends pieces too fast is limited', async () => {
  const { addr, agent, job } = await runOnNewAgent('127.0.48.30')
  for (let count = 0; count < 20; count += 1) print(agent, 'x')
  agent.answer(500)
  await jobs.finished(job)
  match(String(await output(addr)), /^x{5,7}$/)
})

test.run()
