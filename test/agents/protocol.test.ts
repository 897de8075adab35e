// Agents: what goes over the wire to them, and what each answer means for the client.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { Agent } from '../harness/simulated-agent.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
let last = 0

/** A connected agent that has received `route` with `payload`, and what becomes of it. */
async function sent(route = 'POST /shell/run', payload: object = { run: 'true', echo: true }) {
  last += 1
  const addr = `127.0.3.${last}`
  const agent = await lab.agent(addr)
  const ended = lab.event('command-ended', { addr })
  await lab.call(route, { clients: [addr], ...payload })
  const request = await agent.next()
  return { addr, agent, ended, request }
}

const shown = async (addr: string) => {
  const { json } = await lab.call('GET /clients')
  return json.clients.find((client: { addr: string }) => client.addr === addr)
}
const outputOf = async (addr: string) =>
  (await lab.call('POST /shell/output', { clients: [addr] })).json.clients[0]?.output

/** The client takes another command: it has no last command any more. */
async function isFree(addr: string, agent: Agent) {
  await lab.call('POST /run/schedule', { clients: [addr] })
  await agent.next('/run/schedule')
}

const wire = suite('on the wire')

wire('a command is forwarded as the caller sent it less clients, unknown keys included', async () => {
  const { request } = await sent('POST /shell/run', { run: 'echo ñ\nls', echo: false, extra: { ño: [1] } })
  equal([request.method, request.path], ['POST', '/shell/run'])
  equal(request.body, { run: 'echo ñ\nls', echo: false, extra: { ño: [1] } })
})

wire('probe, power off, reboot and stop carry no body', async () => {
  for (const [route, path] of [
    ['POST /clients', '/probe'],
    ['POST /poweroff', '/poweroff'],
    ['POST /reboot', '/reboot'],
    ['POST /stop', '/stop'],
  ] as const) {
    const { request } = await sent(route, { extra: 1 })
    equal([request.method, request.path, request.body], ['POST', path, undefined])
  }
})

wire('a forwarded object that is left empty is sent as no body', async () => {
  const { request } = await sent('POST /hardware', {})
  equal([request.method, request.path, request.body], ['GET', '/hardware', undefined])
})

wire('a body over the request limit less 700 bytes, escaping included, is 400 and nothing is sent', async () => {
  const agent = await lab.agent('127.0.3.200')
  const room = 131_072 - 700 - '{"run":"","echo":true}'.length
  const shell = (run: string) => lab.call('POST /shell/run', { clients: ['127.0.3.200'], run, echo: true })
  // Two bytes for the caller, six for the agent.
  is((await shell(`${'x'.repeat(room - 6)}ññ`)).status, 400)
  is((await shell('x'.repeat(room + 1))).status, 400)
  is((await shell(`${'x'.repeat(room - 6)}ñ`)).status, 200)
  equal((await agent.next('/shell/run')).body, { run: `${'x'.repeat(room - 6)}ñ`, echo: true })
})

wire.run()

const answers = suite('answers')

answers('200 without a body is a success and sets the client free', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(200)
  is((await ended).result, 'success')
  is((await shown(addr)).last_cmd.result, 'success')
  await isFree(addr, agent)
})

answers('200 with a body is a success and the module stores it', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(200, { out: 'two\nlines ñ' })
  is((await ended).result, 'success')
  is(await outputOf(addr), 'two\nlines ñ')
})

for (const [name, body] of [
  ['that breaks the schema of the command', '{"out":1}'],
  ['that is not JSON', '{"out":'],
]) {
  answers(`200 with a body ${name} is a failure, the connection stays`, async () => {
    const { addr, agent, ended } = await sent()
    agent.send(`HTTP/1.0 200 OK\r\nContent-Length: ${body?.length}\r\n\r\n${body}`)
    const { result, reason } = await ended
    is(result, 'failure')
    match(String(reason), /^answer not understood: /)
    is((await shown(addr)).last_cmd.result, 'failure')
    await isFree(addr, agent)
  })
}

for (const status of [400, 500, 404, 302]) {
  answers(`${status} is a failure, the connection stays and the client is free`, async () => {
    const { addr, agent, ended } = await sent()
    agent.answer(status)
    equal((await ended).reason, `agent answered ${status}`)
    is((await shown(addr)).last_cmd.result, 'failure')
    await isFree(addr, agent)
  })
}

answers('202 is a success, the command stays until the agent answers again', async () => {
  const { addr, agent, ended } = await sent('POST /reboot', {})
  agent.answer(202)
  agent.event('start', 'ana')
  agent.send('HTTP/1.0 103 Early Hints\r\n\r\n')
  await lab.logged(new RegExp(`${addr}: 103 dropped`))
  equal((await shown(addr)).last_cmd.result, 'success')
  is((await shown(addr)).state, 'BSY')
  agent.answer(200)
  is((await ended).result, 'success')
  await isFree(addr, agent)
})

answers('202 is a success, the command stays until the agent disconnects', async () => {
  const { agent, ended } = await sent('POST /poweroff', {})
  agent.answer(202)
  await agent.close()
  is((await ended).result, 'success')
})

answers('a probe answered 202 ends with the status in its body', async () => {
  const { addr, agent, ended } = await sent('POST /clients', {})
  agent.answer(202, { status: 'BSY' })
  is((await ended).result, 'success')
  is((await shown(addr)).status, 'busy')
  await isFree(addr, agent)
})

answers('another command answered 202 stays, also when there is a body', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(202, { out: 'not yet' })
  agent.send('HTTP/1.0 103 Early Hints\r\n\r\n')
  await lab.logged(new RegExp(`${addr}: 103 dropped`))
  equal([(await shown(addr)).state, await outputOf(addr)], ['BSY', ''])
  agent.answer(200, { out: 'done' })
  await ended
  is(await outputOf(addr), 'done')
})

answers('an interim answer but 103 says nothing', async () => {
  const { addr, agent, ended } = await sent()
  agent.send('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"out":"hi"}')
  is((await ended).result, 'success')
  is(await outputOf(addr), 'hi')
})

answers('a probe that finds the agent still busy leaves the way back from a 503 open', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(503)
  await ended
  for (const [route, path, body] of [
    ['POST /clients', '/probe', { status: 'BSY' }],
    ['POST /shell/run', '/shell/run', { out: '' }],
  ] as const) {
    const next = lab.event('command-ended', { addr })
    await lab.call(route, { clients: [addr], run: 'true', echo: true })
    await agent.next(path)
    agent.answer(200, body)
    await next
    is((await shown(addr)).status, path === '/probe' ? 'busy' : 'oglive')
  }
})

answers('503 is a failure, the status becomes busy until the next 200', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(503)
  equal((await ended).reason, 'agent answered 503')
  equal([(await shown(addr)).status, (await shown(addr)).state], ['busy', 'BSY'])
  await isFree(addr, agent)
  const next = lab.event('command-ended', { addr })
  agent.answer(200)
  await next
  is((await shown(addr)).status, 'oglive')
})

answers('503 is a failure, the status becomes busy until the next probe', async () => {
  const { addr, agent, ended } = await sent()
  agent.answer(503)
  await ended
  await lab.call('POST /clients', { clients: [addr] })
  await agent.next('/probe')
  const next = lab.event('command-ended', { addr })
  agent.answer(200, { status: 'VDI' })
  await next
  is((await shown(addr)).status, 'virtual')
})

answers('an answer while no command is pending is logged and dropped', async () => {
  const addr = '127.0.3.201'
  const agent = await lab.agent(addr)
  agent.answer(500)
  await lab.logged(new RegExp(`${addr}: answer 500 dropped: no command is pending`))
  is((await shown(addr)).last_cmd.result, 'success')
})

answers('two answers in one packet: the first is the answer, the second is dropped', async () => {
  const { addr, agent, ended } = await sent()
  const one = (out: string) => `HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n{"out":"${out}"}`
  agent.send(one('a') + one('b'))
  await ended
  await lab.logged(new RegExp(`${addr}: answer 200 dropped`))
  is(await outputOf(addr), 'a')
})

answers('an answer in single bytes is understood', async () => {
  const { addr, agent, ended } = await sent()
  await agent.sendByByte('HTTP/1.0 200 OK\r\nContent-Length: 14\r\n\r\n{"out":"done"}')
  is((await ended).result, 'success')
  is(await outputOf(addr), 'done')
})

for (const [name, bytes] of [
  ['bytes that are no HTTP', 'rubbish'],
  ['an endless header', `HTTP/1.0 200 OK\r\nX: ${'x'.repeat(9000)}`],
  ['a message over the request limit', 'HTTP/1.0 200 OK\r\nContent-Length: 131073\r\n\r\n'],
  ['a wrong Content-Length', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{"out":"more than two"}'],
]) {
  answers(`${name}: the connection is closed, nobody else notices`, async () => {
    const other = await sent()
    const { addr, agent, ended } = await sent()
    const gone = lab.event('client-gone', { addr })
    agent.send(bytes ?? '')
    is((await ended).result, 'failure')
    await agent.closed
    await gone
    is(await shown(addr), undefined)
    is(lab.log.filter(line => line.includes(addr) && line.includes('connection closed')).length, 1)
    other.agent.answer(200)
    is((await other.ended).result, 'success')
  })
}

answers('an agent that vanishes while it is busy ends its command as a failure', async () => {
  const { agent, ended } = await sent()
  agent.destroy()
  equal(await ended.then(({ result, reason }) => [result, reason]), ['failure', 'connection lost'])
})

answers('reboot and power off are a success on 200, on 202 and when the connection closes', async () => {
  for (const route of ['POST /reboot', 'POST /poweroff']) {
    const answered = await sent(route, {})
    answered.agent.answer(200)
    is((await answered.ended).result, 'success')
    const closed = await sent(route, {})
    closed.agent.destroy()
    is((await closed.ended).result, 'success')
  }
})

answers.after(() => lab.stop())
answers.run()
