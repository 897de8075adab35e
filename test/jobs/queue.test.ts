// The queue: when the commands that wait for a client are sent, and in which order.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { jobIdOf } from '../harness/job-results.ts'
import { replyToNext, shellPayload, startLab } from '../harness/lab.ts'

export const runs = { postgres: true, hosts: true }

const testHost = await startLab({ subnet: '127.0.9' })
const { jobs, newComputer, queueShell } = testHost

const test = suite('queue')

test('a command for a client that is off waits and is sent after the reply to run/schedule', async () => {
  const addr = await newComputer()
  const response = await testHost.call('POST /shell/run?queue=1', shellPayload(addr, 'one'))
  equal([response.status, response.text], [200, ''])
  const job = jobIdOf(response)
  equal(await jobs.states(job), ['queued'])
  const agent = await testHost.agent(addr, { auto: false })
  await replyToNext(agent, '/refresh')
  const { method, body } = await agent.next('/run/schedule')
  equal([method, body], ['GET', undefined])
  equal(await jobs.states(job), ['queued'])
  agent.answer(200)
  equal((await replyToNext(agent, '/shell/run', 200, { out: 'done' })).body, { run: 'one', echo: true })
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success'],
  )
  const [part] = await jobs.parts(job, `?client=${addr}`)
  equal([part?.output, part?.command], ['done', 'shell-run'])
})

test('the queue is sent after the first refresh, also when that fails', async () => {
  const addr = await newComputer()
  await queueShell(addr, 'one')
  const agent = await testHost.agent(addr, { auto: false })
  await replyToNext(agent, '/refresh', 500)
  await replyToNext(agent, '/run/schedule')
  await agent.next('/shell/run')
})

test('a client that is free gets its command at once, also with queue=1', async () => {
  const addr = await newComputer()
  const agent = await testHost.agent(addr)
  const job = await queueShell(addr, 'now')
  await replyToNext(agent, '/shell/run')
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success'],
  )
})

test('a client that has replied to a reboot gets what may wait when it is back', async () => {
  const addr = await newComputer()
  const leaving = await testHost.agent(addr)
  const rebooted = testHost.event('command-ended', { addr, command: 'reboot' })
  await testHost.call('POST /reboot', { clients: [addr] })
  await replyToNext(leaving, '/reboot')
  await rebooted
  const job = await queueShell(addr, 'later')
  equal(await jobs.states(job), ['queued'])
  await leaving.close()
  const agent = await testHost.agent(addr)
  await replyToNext(agent, '/run/schedule')
  await replyToNext(agent, '/shell/run')
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success'],
  )
})

test('parts are sent one at a time, in order, each after the end of the previous one, with one run/schedule', async () => {
  const addr = await newComputer()
  for (const run of ['one', 'two', 'three']) await queueShell(addr, run)
  const agent = await testHost.agent(addr)
  await replyToNext(agent, '/run/schedule')
  const statuses = [200, 500, 200]
  for (const [index, run] of ['one', 'two', 'three'].entries()) {
    equal((await replyToNext(agent, '/shell/run', statuses[index])).body, { run, echo: true })
  }
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

test('a command for a busy client waits until the client is free', async () => {
  const addr = await newComputer()
  const agent = await testHost.agent(addr)
  await testHost.call('POST /shell/run', shellPayload(addr, 'direct'))
  await agent.next('/shell/run')
  const job = await queueShell(addr, 'later')
  equal(await jobs.states(job), ['queued'])
  agent.answer(200)
  await replyToNext(agent, '/run/schedule')
  equal((await replyToNext(agent, '/shell/run')).body, { run: 'later', echo: true })
  equal(
    (await jobs.finished(job)).map(({ state }) => state),
    ['success'],
  )
})

for (const status of [400, 500, 503]) {
  test(`a reply ${status} to run/schedule opens the queue too`, async () => {
    const addr = await newComputer()
    await queueShell(addr, 'one')
    const agent = await testHost.agent(addr)
    await replyToNext(agent, '/run/schedule', status)
    await agent.next('/shell/run')
  })
}

test('without a reply to run/schedule the parts wait for the first refresh of the next connection', async () => {
  const addr = await newComputer()
  const job = await queueShell(addr, 'one')
  const agent = await testHost.agent(addr)
  await agent.next('/run/schedule')
  const gone = testHost.event('client-gone', { addr })
  agent.destroy()
  await gone
  equal(await jobs.states(job), ['queued'])
  const nextAgent = await testHost.agent(addr)
  await replyToNext(nextAgent, '/run/schedule')
  await nextAgent.next('/shell/run')
})

test('a part that is running when the connection is lost fails; the rest waits for the next connection', async () => {
  const addr = await newComputer()
  const first = await queueShell(addr, 'one')
  const second = await queueShell(addr, 'two')
  const agent = await testHost.agent(addr)
  await replyToNext(agent, '/run/schedule')
  await agent.next('/shell/run')
  agent.destroy()
  await jobs.finished(first)
  equal(await jobs.outcomes(first), [['failure', 'connection lost']])
  equal(await jobs.states(second), ['queued'])
  const nextAgent = await testHost.agent(addr)
  await replyToNext(nextAgent, '/run/schedule')
  equal((await replyToNext(nextAgent, '/shell/run')).body, { run: 'two', echo: true })
  await jobs.finished(second)
  equal(await jobs.states(second), ['success'])
})

test.after(() => testHost.stop())
test.run()
