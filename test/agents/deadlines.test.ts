// Deadlines: what happens to a command, its client and late replies when a reply is missing.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

/** Seconds; short enough for a test. */
const deadline = 0.05
/** Seconds; long enough for an agent to reply in time on a busy machine. */
const longDeadline = 1.5
const deadlines = { 'shell-run': deadline, stop: deadline, refresh: deadline, software: longDeadline }
const testHost = await startLab({ subnet: '127.0.21', options: { deadlines } })
const { sendToNewAgent, output } = testHost

/** Blocks the event loop; what others send waits in the kernel. */
function stopProcess(seconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000)
}

const test = suite('deadlines')

test('past its deadline a command is a failure and the client is free again', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  equal(await ended, {
    type: 'command-ended',
    addr,
    command: 'shell-run',
    result: 'failure',
    reason: 'no answer in time',
    overdue: true,
  })
  agent.clearMissingReplies()
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

test('a late reply that comes while nothing is pending is ignored', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  await ended
  agent.answer(200, { out: 'too late' })
  await testHost.logged(new RegExp(`${addr}: reply 200 ignored: it belongs to a request that has ended`))
  is(await output(addr), '')
})

test('a late reply that does not match the pending command is ignored, and the next reply counts', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  await ended
  agent.clearMissingReplies()
  const hardware = testHost.event('command-ended', { addr, command: 'hardware' })
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
  agent.answer(200, { out: 'too late' })
  await testHost.logged(new RegExp(`${addr}: reply 200 ignored`))
  agent.answer(200, { hardware: 'cpu=one' })
  is((await hardware).result, 'success')
})

test('without a reply to the first refresh a client takes commands after the deadline', async () => {
  const addr = '127.0.21.200'
  const agent = await testHost.agent(addr, { auto: false })
  await testHost.event('command-ended', { addr, command: 'refresh' })
  await agent.next('/refresh')
  agent.clearMissingReplies()
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

test('after stop a client whose late reply does not come is free when the deadline of stop has passed', async () => {
  const { addr, agent } = await sendToNewAgent('POST /hardware', {})
  const stopped = testHost.event('command-ended', { addr, command: 'stop' })
  await testHost.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  is((await stopped).result, 'success')
  agent.clearMissingReplies()
  await testHost.call('POST /software', { clients: [addr], disk: '1', partition: '1' })
  await agent.next('/software')
})

for (const [name, characters] of [
  ['short', 2],
  // Read in several pieces.
  ['long', 120_000],
] as const) {
  test(`a ${name} reply that came in time counts when the process was stopped until after the deadline`, async () => {
    const { agent, ended } = await sendToNewAgent('POST /software', { disk: '1', partition: '1' })
    agent.answer(200, { partition: '1', software: `Ubuntu\n${'x'.repeat(characters)}` })
    stopProcess(longDeadline + 0.2)
    is((await ended).result, 'success')
  })
}

test('a command without a reply is a failure after the process was stopped until after the deadline', async () => {
  const { agent, ended } = await sendToNewAgent('POST /software', { disk: '1', partition: '1' })
  stopProcess(longDeadline + 0.2)
  is((await ended).reason, 'no answer in time')
  agent.clearMissingReplies()
})

test.after(() => testHost.stop())
test.run()
