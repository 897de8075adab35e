// What the simulated agent receives from a daemon and what it sends.
import { once } from 'node:events'
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { AgentOptions, ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { failureOf, refreshText, requestText, scriptText, startConnecting, startPair, stopText } from './agent-pair.ts'

const test = suite('simulated agent')

test('a received request has method, path, headers, body and bytes', async () => {
  const { daemon, agent } = await startPair()
  daemon.write(scriptText)
  const request = await agent.next('/shell/run')
  const headers = { 'Content-Length': '27', 'Content-Type': 'application/json' }
  const body = { run: 'uname', echo: true }
  equal(request, { method: 'POST', path: '/shell/run', headers, body, raw: scriptText })
  await agent.close()
})

test('a request can be received byte by byte', async () => {
  const { daemon, agent } = await startPair()
  for (const byte of scriptText) {
    daemon.write(byte)
    await nextTick()
  }
  is((await agent.next()).raw, scriptText)
  await agent.close()
})

test('escapes can be in upper and lower case, also for characters beyond the basic plane', async () => {
  const { daemon, agent } = await startPair()
  daemon.write(requestText('POST /x', '{"a":"\\u00E9\\u00e9\\ud83d\\uDE00"}'))
  equal((await agent.next()).body, { a: 'éé😀' })
  await agent.close()
})

test('next() rejects when the request has another path', async () => {
  const { daemon, agent } = await startPair()
  daemon.write(scriptText)
  match(await failureOf(agent.next('/refresh')), /127\.0\.0\.2: waiting for \/refresh: got POST \/shell\/run/)
  await agent.close()
})

test('next() rejects when the connection closes', async () => {
  const { daemon, agent } = await startPair()
  daemon.end()
  match(await failureOf(agent.next('/probe')), /waiting for \/probe: the connection is closed/)
  await agent.closed
})

test('the first refresh gets 200 without a body, from the address of the agent', async () => {
  const { daemon, connecting, waitForText } = await startConnecting({ addr: '127.0.0.77' })
  daemon.write(refreshText)
  const agent = await connecting
  is(daemon.remoteAddress, '127.0.0.77')
  is(await waitForText('\r\n\r\n'), 'HTTP/1.0 200 OK\r\n\r\n')
  await agent.close()
})

test('the reply to the first refresh can be set', async () => {
  const refresh = { status: 200, body: { status: 'LINUX' } }
  const { daemon, connecting, waitForText } = await startConnecting({ refresh })
  daemon.write(refreshText)
  const agent = await connecting
  match(await waitForText('}'), /Content-Length: 18\r\nContent-Type: application\/json\r\n\r\n\{"status":"LINUX"\}$/)
  await agent.close()
})

test('connecting fails when the first request is not a refresh', async () => {
  const { daemon, connecting } = await startConnecting({})
  daemon.write(scriptText)
  match(await failureOf(connecting), /waiting for \/refresh: got POST \/shell\/run/)
})

test('Content-Length counts bytes, not characters', async () => {
  const { waitForText, agent } = await startPair()
  agent.answer(200, { out: 'é' })
  match(await waitForText('}'), /Content-Length: 12\r/)
  await agent.close()
})

test('a session event is a 103', async () => {
  const { waitForText, agent } = await startPair()
  agent.event('start', 'ana')
  match(
    await waitForText('}'),
    /^HTTP\/1\.0 103 Early Hints\r\n.*\{"event":"session","action":"start","user":"ana"\}$/s,
  )
  await agent.close()
})

test('any bytes can be sent, at once and one by one, and the replies in them are counted', async () => {
  const { daemon, waitForText, agent } = await startPair()
  daemon.write(scriptText + stopText)
  await agent.next()
  await agent.sendByByte('HTTP/1.0 103 Early Hints\r\n\r\n')
  is(agent.missingReplies, 1)
  agent.send(Buffer.from('HTTP/1.0 500 Internal Server Error\r\n\r\n'))
  is(agent.missingReplies, 0)
  match(await waitForText('Error\r\n\r\n'), /^HTTP\/1\.0 103 Early Hints\r\n\r\nHTTP\/1\.0 500/)
  await agent.close()
})

async function startAutomatic(auto: AgentOptions['auto'], bytes: string) {
  const { daemon, waitForText, agent } = await startPair({ auto })
  daemon.write(bytes)
  return { waitForText, agent }
}

test('an automatic reply is a value, the result of a handler, or the value for all other paths', async () => {
  const auto = { '/refresh': { status: 200 }, '/probe': () => ({ status: 202 }), '*': { status: 400 } }
  const statuses = [refreshText, requestText('POST /probe'), scriptText].map(async bytes => {
    const { waitForText, agent } = await startAutomatic(auto, bytes)
    const reply = await waitForText('\r\n\r\n')
    await agent.close()
    return reply.slice(9, 12)
  })
  equal(await Promise.all(statuses), ['200', '202', '400'])
})

test('a delayed reply is sent after its delay, or as a failure when it is aborted', async () => {
  const delayed = await startAutomatic({ '*': { status: 200, delay: 5 } }, scriptText)
  match(await delayed.waitForText('\r\n\r\n'), /200 OK/)
  const auto: ReplyTable = { '/stop': (_, agent) => void agent.abort(), '*': { status: 200, delay: 60_000 } }
  const aborted = await startAutomatic(auto, scriptText + stopText)
  match(await aborted.waitForText('\r\n\r\n'), /500 Internal/)
  await Promise.all([delayed.agent.close(), aborted.agent.close()])
})

test('close() ends the connection in order and destroy() resets it', async () => {
  const closed = await startPair()
  closed.daemon.resume()
  await Promise.all([once(closed.daemon, 'end'), closed.agent.close()])
  const destroyed = await startPair()
  const [error] = await Promise.all([
    once(destroyed.daemon, 'error').then(([error]) => error.code),
    destroyed.agent.destroy(),
  ])
  is(error, 'ECONNRESET')
  await destroyed.agent.closed
})

test.run()
