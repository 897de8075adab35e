// Agents that reply unasked, in pieces, with invalid bytes, or not at all.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { scriptPayload, startLab } from '../harness/lab.ts'

const testHost = await startLab({ subnet: '127.0.19' })
const { sendToNewAgent, client, output } = testHost

const test = suite('broken agents')

test('a reply while no command is pending is logged and ignored', async () => {
  const addr = '127.0.19.201'
  const agent = await testHost.agent(addr)
  agent.answer(500)
  await testHost.logged(new RegExp(`${addr}: reply 500 ignored: no request is pending`))
  is((await client(addr))?.last_cmd.result, 'success')
})

test('of two replies in one packet the first is the reply and the second is ignored', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  const reply = (out: string) => `HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n{"out":"${out}"}`
  agent.send(reply('a') + reply('b'))
  await ended
  await testHost.logged(new RegExp(`${addr}: reply 200 ignored`))
  is(await output(addr), 'a')
})

test('a reply in single bytes is decoded', async () => {
  const { addr, agent, ended } = await sendToNewAgent()
  await agent.sendByByte('HTTP/1.0 200 OK\r\nContent-Length: 14\r\n\r\n{"out":"done"}')
  is((await ended).result, 'success')
  is(await output(addr), 'done')
})

for (const [name, bytes] of [
  ['bytes that are not HTTP', 'rubbish'],
  ['an endless header', `HTTP/1.0 200 OK\r\nX: ${'x'.repeat(9000)}`],
  ['a message over the request limit', 'HTTP/1.0 200 OK\r\nContent-Length: 131073\r\n\r\n'],
  ['a wrong Content-Length', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{"out":"more than two"}'],
]) {
  test(`after ${name} the connection is closed and no other client is affected`, async () => {
    const other = await sendToNewAgent()
    const { addr, agent, ended } = await sendToNewAgent()
    const gone = testHost.event('client-gone', { addr })
    agent.send(bytes ?? '')
    is((await ended).result, 'failure')
    await agent.closed
    await gone
    is(await client(addr), undefined)
    is(testHost.log.filter(line => line.includes(addr) && line.includes('connection closed')).length, 1)
    other.agent.answer(200)
    is((await other.ended).result, 'success')
  })
}

test('the connection of an agent that sends a hundred messages nobody asked for is closed', async () => {
  const addr = '127.0.19.202'
  const agent = await testHost.agent(addr)
  agent.send('HTTP/1.0 200 OK\r\n\r\n'.repeat(5000))
  await agent.closed
  await testHost.logged(new RegExp(`${addr}: connection closed: .* got 100 messages without a request`))
  await testHost.logged(new RegExp(`${addr}: 95 more lines of this kind`))
  const lines = testHost.log.filter(line => line.includes(`${addr}: reply 200 ignored`))
  is(lines.length, 5)
})

test('a proper reply to a request resets the count of messages that nobody asked for', async () => {
  const { addr, agent } = await sendToNewAgent()
  const invalidEvents = 'HTTP/1.0 103 Early Hints\r\n\r\n'.repeat(90)
  for (let round = 0; round < 3; round += 1) {
    const ended = testHost.event('command-ended', { addr })
    agent.send(`${invalidEvents}HTTP/1.0 200 OK\r\n\r\n`)
    is((await ended).result, 'success')
    await testHost.call('POST /shell/run', { clients: [addr], ...scriptPayload })
    await agent.next()
  }
  agent.answer(200)
})

test('when an agent vanishes while it is busy its command fails', async () => {
  const { agent, ended } = await sendToNewAgent()
  agent.destroy()
  equal(await ended.then(({ result, reason }) => [result, reason]), ['failure', 'connection lost'])
})

test.after(() => testHost.stop())
test.run()
