// The queue: the options of a queued command, and how parts end without being sent: expiry, cancelling, deletion.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { replyToNext, shellPayload, startLab } from '../harness/lab.ts'

export const runs = { postgres: true, hosts: true }

const clock = createManualClock()
const testHost = await startLab({ subnet: '127.0.14', clock })
const { jobs, newComputer, queueShell } = testHost

const test = suite('end of queued parts')

test('expiry runs for the first part only, from queueing or from the end of the previous part', async () => {
  const addr = await newComputer()
  const first = await queueShell(addr, 'one')
  const second = await queueShell(addr, 'two')
  const third = await queueShell(addr, 'three')
  await clock.advance(899_000)
  equal(await jobs.states(first), ['queued'])
  await clock.advance(1_000)
  await jobs.finished(first)
  equal(await jobs.states(first), ['expired'])
  equal(await jobs.states(second), ['queued'])
  const agent = await testHost.agent(addr)
  await replyToNext(agent, '/run/schedule')
  await agent.next('/shell/run')
  await clock.advance(7_200_000)
  equal(await jobs.states(third), ['queued'])
  agent.answer(200)
  await replyToNext(agent, '/shell/run')
  for (const job of [second, third]) {
    await jobs.finished(job)
    equal(await jobs.states(job), ['success'])
  }
})

test('expires=<seconds> sets how long a part may wait', async () => {
  const addr = await newComputer()
  const job = await queueShell(addr, 'one', '&expires=10')
  await clock.advance(10_000)
  await jobs.finished(job)
  equal(await jobs.states(job), ['expired'])
})

test('an address without a record is skipped as unknown, also with queue=1', async () => {
  const job = await queueShell('10.6.6.6', 'one')
  equal(await jobs.outcomes(job), [['skipped', 'unknown']])
})

test('wake=1 wakes the clients that are off', async () => {
  const addr = await newComputer()
  await queueShell(addr, 'one', '&wake=1')
  const { json } = await testHost.call('GET /clients')
  is(json.clients.find((client: { addr: string }) => client.addr === addr)?.state, 'WOL_SENT')
})

for (const query of ['queue=2', 'queue=1&expires=x', 'queue=1&expires=0', 'expires=5', 'wake=1', 'queue=1&wake=yes']) {
  test(`?${query} is 400 and nothing is queued or sent`, async () => {
    const addr = await newComputer()
    const agent = await testHost.agent(addr)
    is((await testHost.call(`POST /shell/run?${query}`, shellPayload(addr, 'one'))).status, 400)
    await testHost.call('POST /hardware', { clients: [addr] })
    await agent.next('/hardware')
  })
}

test('cancelled parts are not sent; a part that has been sent runs to its end', async () => {
  const addr = await newComputer()
  const first = await queueShell(addr, 'one')
  const second = await queueShell(addr, 'two')
  is((await testHost.call('POST /job/cancel', { id: String(first) })).status, 200)
  await jobs.finished(first)
  equal(await jobs.states(first), ['cancelled'])
  const agent = await testHost.agent(addr)
  await replyToNext(agent, '/run/schedule')
  equal((await agent.next('/shell/run')).body, { run: 'two', echo: true })
  is((await testHost.call('POST /job/cancel', { id: String(second) })).status, 200)
  agent.answer(200)
  await jobs.finished(second)
  equal(await jobs.states(second), ['success'])
})

test('a retry with wake wakes the clients whose parts are queued again', async () => {
  const addr = await newComputer()
  const first = await queueShell(addr, 'one')
  await testHost.call('POST /job/cancel', { id: String(first) })
  await jobs.finished(first)
  const woken = testHost.event('wake-sent', { addr })
  is((await testHost.call('POST /job/retry', { id: String(first), wake: true })).status, 200)
  await woken
})

test('deleting a computer cancels its queue', async () => {
  const addr = await newComputer()
  const job = await queueShell(addr, 'one')
  const effect = `cancelled: job ${job} on 1 computer`
  const { json } = await testHost.call('GET /deletion', { kind: 'computer', clients: [addr] })
  equal(json.effects, [effect])
  const { headers } = await testHost.call('POST /client/delete', { clients: [addr] })
  is(headers['x-warning'], effect)
  await jobs.finished(job)
  equal(await jobs.outcomes(job), [['cancelled', 'computer deleted']])
  const back = await testHost.call('POST /undo', { id: headers['x-undo-id'] })
  is(back.headers['x-warning'], `job ${job} stays cancelled on 1 computer: fleet job retry ${job}`)
})

test.after(() => testHost.stop())
test.run()
