// Replies of agents: what each status and body means for the command and its client.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.3' })
const { sendToNewAgent, client, output, expectFree } = testHost

const test = suite('replies of agents')

test('200 without a body is a success and makes the client free', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(200)
  is((await ended).result, 'success')
  is((await client(addr))?.last_cmd.result, 'success')
  await expectFree(addr, agent)
})

test('200 with a body is a success and the module stores the body', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(200, { out: 'two\nlines ñ' })
  is((await ended).result, 'success')
  is(await output(addr), 'two\nlines ñ')
})

for (const [name, body] of [
  ['that breaks the schema of the command', '{"out":1}'],
  ['that is not JSON', '{"out":'],
]) {
  test(`200 with a body ${name} is a failure and the connection stays open`, async () => {
    const { addr, agent, ended } = await sendToNewAgent()
    agent.send(`HTTP/1.0 200 OK\r\nContent-Length: ${body?.length}\r\n\r\n${body}`)
    const { result, reason } = await ended
    is(result, 'failure')
    match(String(reason), /^reply not understood: /)
    is((await client(addr))?.last_cmd.result, 'failure')
    await expectFree(addr, agent)
  })
}

for (const status of [400, 500, 404, 302]) {
  test(`${status} is a failure, the connection stays open and the client is free`, async () => {
    const { addr, agent, ended } = await sendToNewAgent()
    agent.answer(status)
    equal((await ended).reason, `agent replied ${status}`)
    is((await client(addr))?.last_cmd.result, 'failure')
    await expectFree(addr, agent)
  })
}

for (const route of ['POST /poweroff', 'POST /hardware']) {
  test(`${route}: a failure has the reason that the agent adds, also where another reply is expected`, async () => {
    const { agent, ended } = await sendToNewAgent(route, {})
    agent.answer(507, { reason: 'no space' })
    equal((await ended).reason, 'agent replied 507: no space')
  })
}

test('202 is a success and the command stays pending until the agent replies again', async () => {
  const { addr, agent, ended } = await sendToNewAgent('POST /reboot', {})
  agent.answer(202)
  agent.event('start', 'ana')
  agent.send('HTTP/1.0 103 Early Hints\r\n\r\n')
  await testHost.logged(new RegExp(`${addr}: 103 ignored`))
  equal((await client(addr))?.last_cmd.result, 'success')
  is((await client(addr))?.state, 'BSY')
  agent.answer(200)
  is((await ended).result, 'success')
  await expectFree(addr, agent)
})

test('202 is a success and the command stays pending until the agent disconnects', async () => {
  const { agent, ended } = await sendToNewAgent('POST /poweroff', {})
  agent.answer(202)
  await agent.close()
  is((await ended).result, 'success')
})

test('202 ends a probe, with the status in its body', async () => {
  const { addr, agent, ended } = await sendToNewAgent('POST /clients', {})
  agent.answer(202, { status: 'BSY' })
  is((await ended).result, 'success')
  is((await client(addr))?.status, 'busy')
  await expectFree(addr, agent)
})

test('202 does not end other commands, also when it has a body', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(202, { out: 'not yet' })
  agent.send('HTTP/1.0 103 Early Hints\r\n\r\n')
  await testHost.logged(new RegExp(`${addr}: 103 ignored`))
  equal([(await client(addr))?.state, await output(addr)], ['BSY', ''])
  agent.answer(200, { out: 'done' })
  await ended
  is(await output(addr), 'done')
})

test('an interim response other than 103 has no effect', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.send('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"out":"hi"}')
  is((await ended).result, 'success')
  is(await output(addr), 'hi')
})

test('after a 503 and a probe that reports busy, the next 200 restores the former status', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(503)
  await ended
  for (const [route, path, body] of [
    ['POST /clients', '/probe', { status: 'BSY' }],
    ['POST /shell/run', '/shell/run', { out: '' }],
  ] as const) {
    const nextEnd = testHost.event('command-ended', { addr })
    await testHost.call(route, { clients: [addr], run: 'true', echo: true })
    await agent.next(path)
    agent.answer(200, body)
    await nextEnd
    is((await client(addr))?.status, path === '/probe' ? 'busy' : 'oglive')
  }
})

test('503 is a failure, and the status is busy until the next 200', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(503)
  equal((await ended).reason, 'agent replied 503')
  equal([(await client(addr))?.status, (await client(addr))?.state], ['busy', 'BSY'])
  await expectFree(addr, agent)
  const nextEnd = testHost.event('command-ended', { addr })
  agent.answer(200)
  await nextEnd
  is((await client(addr))?.status, 'oglive')
})

test('503 is a failure, and the status is busy until the next probe', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  agent.answer(503)
  await ended
  await testHost.call('POST /clients', { clients: [addr] })
  await agent.next('/probe')
  const nextEnd = testHost.event('command-ended', { addr })
  agent.answer(200, { status: 'VDI' })
  await nextEnd
  is((await client(addr))?.status, 'virtual')
})

test('reboot and power off are a success on 200, on 202 and when the connection closes', async () => {
  for (const route of ['POST /reboot', 'POST /poweroff']) {
    const replied = await sendToNewAgent(route, {})
    replied.agent.answer(200)
    is((await replied.ended).result, 'success')
    const closed = await sendToNewAgent(route, {})
    closed.agent.destroy()
    is((await closed.ended).result, 'success')
  }
})

test.after(() => testHost.stop())
test.run()
