// Interruptions: stop, reboot and poweroff on a busy client, and the late reply of the interrupted command.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

export const runs = { hosts: true }

const testHost = await startLab({ subnet: '127.0.4' })
const { sendToNewAgent, client, output, expectFree } = testHost

const test = suite('interruptions')

for (const command of ['stop', 'reboot', 'poweroff']) {
  test(`${command} is forwarded to a busy client and ends its command at once as a failure`, async () => {
    const { addr, agent, ended } = await sendToNewAgent()
    await testHost.call(`POST /${command}`, { clients: [addr] })
    await agent.next(`/${command}`)
    equal((await ended).reason, `interrupted by ${command}`)
  })
}

test('stop is a success when it is written; when no reply is missing the client is free at once', async () => {
  const { addr, agent, ended } = await sendToNewAgent('POST /stop', {})
  is((await ended).result, 'success')
  await testHost.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

test('after stop the client is busy until the reply of the interrupted command comes', async () => {
  const { addr, agent } = await sendToNewAgent()
  const stopped = testHost.event('command-ended', { addr, command: 'stop' })
  await testHost.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  const entry = await client(addr)
  equal([entry?.state, entry?.last_cmd.result], ['BSY', 'success'])
  await testHost.call('POST /hardware', { clients: [addr] })
  agent.answer(500)
  await stopped
  // The next request is not /hardware, which was skipped because the client had a last command.
  await expectFree(addr, agent)
})

test('the output of a script that was stopped is not stored', async () => {
  const { addr, agent } = await sendToNewAgent()
  const stopped = testHost.event('command-ended', { addr, command: 'stop' })
  await testHost.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  agent.answer(200, { out: 'half' })
  await stopped
  is(await output(addr), '')
})

test('the late reply of an interrupted command, which has a body, is not the reply to reboot', async () => {
  const { addr, agent } = await sendToNewAgent()
  const rebooted = testHost.event('command-ended', { addr, command: 'reboot' })
  await testHost.call('POST /reboot', { clients: [addr] })
  await agent.next('/reboot')
  agent.answer(200, { out: 'half' })
  await testHost.logged(new RegExp(`${addr}: reply 200 ignored`))
  agent.answer(202)
  await agent.close()
  is((await rebooted).result, 'success')
})

test.after(() => testHost.stop())
test.run()
