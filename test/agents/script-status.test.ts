// The exit code in an agent's reply to a script: a failure unless the caller allows it. Agents without one are as before.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.44' })
const { sendToNewAgent, output, expectFree } = testHost

const test = suite('exit codes of scripts')
test.after(() => testHost.stop())

/** How the command ends when the agent replies with the body. */
async function outcomeOf(body: object, route = 'POST /shell/run', more: object = {}) {
  const { addr, agent, ended, request } = await sendToNewAgent(route, { run: 'true', echo: true, ...more })
  equal(request.body, { run: 'true', echo: true })
  agent.answer(200, body)
  const { result, reason } = await ended
  return { addr, agent, outcome: reason === undefined ? result : `${result}: ${reason}` }
}

test('a reply without a status is a success', async () => {
  is((await outcomeOf({ out: 'text' })).outcome, 'success')
})

test('status 0 is a success', async () => {
  is((await outcomeOf({ out: 'text', status: 0 })).outcome, 'success')
})

test('another status is a failure with the exit code, keeps the output, and makes the client free', async () => {
  const { addr, agent, outcome } = await outcomeOf({ out: 'text', status: 3 })
  is(outcome, 'failure: exit code 3')
  is(await output(addr), 'text')
  await expectFree(addr, agent)
})

test('a status that is no integer is not understood', async () => {
  const { outcome } = await outcomeOf({ out: 'text', status: '3' })
  is(outcome, 'failure: reply not understood: status: expected a whole number, got "3"')
})

test('with ?allow_failure=1 or ignore_status any status is a success; neither is forwarded', async () => {
  is((await outcomeOf({ status: 3 }, 'POST /shell/run?allow_failure=1')).outcome, 'success')
  is((await outcomeOf({ status: 3 }, 'POST /shell/run', { ignore_status: true })).outcome, 'success')
})

test('?allow_failure is 0 or 1', async () => {
  const payload = { clients: ['127.0.44.1'], run: 'true', echo: true }
  is((await testHost.call('POST /shell/run?allow_failure=yes', payload)).status, 400)
})

test('a job that is tried again still ignores the status', async () => {
  const { addr, agent, ended } = await sendToNewAgent('POST /shell/run?allow_failure=1')
  const [{ id }] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  const finished = testHost.event('job-finished', { job: id })
  agent.answer(500)
  await Promise.all([ended, finished])
  const retried = testHost.event('command-ended', { addr })
  is((await testHost.call('POST /job/retry', { id: String(id) })).status, 200)
  await agent.next('/shell/run')
  agent.answer(200, { status: 3 })
  is((await retried).result, 'success')
})

test.run()
