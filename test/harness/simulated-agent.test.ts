// What the simulated agent notices, against a stand-in for the daemon that can say anything.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AgentOptions, type Answers, connectAgent } from './simulated-agent.ts'

const request = (line: string, body = '', headers = 'Content-Type: application/json') =>
  `${line} HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n\r\n${body}`
const refresh = request('GET /refresh')
const run = request('POST /shell/run', '{"run":"uname","echo":true}')
const stop = request('POST /stop')

/** One agent and the daemon's end of its connection; `heard` is what the agent has sent. */
const pair = async (options: Omit<AgentOptions, 'port'> = { auto: false }) => {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const connecting = connectAgent({ port, ...options })
  const [daemon]: Socket[] = await once(server, 'connection')
  server.close()
  if (!daemon) throw new Error('no connection')
  daemon.on('error', () => {})
  let heard = ''
  daemon.on('data', bytes => {
    heard += bytes.toString('latin1')
  })
  const until = async (text: string) => {
    while (!heard.includes(text)) await once(daemon, 'data', { signal: AbortSignal.timeout(5_000) })
    return heard
  }
  return { daemon, connecting, until }
}

const started = async (options?: Omit<AgentOptions, 'port'>) => {
  const { daemon, connecting, until } = await pair(options)
  return { daemon, until, agent: await connecting }
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    error => String(error),
  )

const breaks = suite('the agent complains about')

const breach = (name: string, sent: string | string[], complaint: RegExp) =>
  breaks(name, async () => {
    const told: string[] = []
    const { daemon, agent } = await started({ auto: false, complain: what => told.push(what) })
    for (const bytes of [sent].flat()) {
      daemon.write(bytes, 'latin1')
      await turn()
    }
    let said = 'no failure'
    while (said === 'no failure') said = await failure(agent.next())
    assert.match(said, complaint)
    assert.match(agent.complaints[0] ?? '', complaint)
    assert.equal(told, agent.complaints)
    assert.match(await failure(agent.close()), complaint)
  })

breach('bytes that are not ASCII', request('POST /x', '{"a":"\u00e9"}').replace(': 10', ': 9'), /not ASCII/)
breach(
  'Transfer-Encoding',
  request('POST /x', '', 'Content-Type: application/json\r\ntransfer-encoding: chunked'),
  /cannot read/,
)
breach('no Content-Length', 'POST /stop HTTP/1.1\r\nContent-Type: application/json\r\n\r\n', /Content-Length: digits/)
breach('Content-Length in another spelling', refresh.replace('Content-L', 'content-l'), /Content-Length: digits/)
breach('a Content-Length that is no number', refresh.replace('h: 0', 'h: ten'), /Content-Length: digits/)
breach('no Content-Type', request('GET /refresh', '', 'X-Other: 1'), /Content-Type: .*got nothing/)
breach('another Content-Type', request('GET /refresh', '', 'Content-Type: text/plain'), /Content-Type: .*text\/plain/)
breach('a header that comes twice', request('GET /refresh', '', 'X-A: 1\r\nX-A: 1'), /X-A comes twice/)
breach('a header without a colon', request('GET /refresh', '', 'X-A'), /"Name: value" needed, got "X-A"/)
breach('line ends without CR', refresh.replaceAll('\r', ''), /CRLF/)
breach('an endless header', `GET /refresh HTTP/1.1\r\nX-A: ${'a'.repeat(9_000)}`, /a header over 8192 bytes/)
breach('another method', request('PUT /refresh'), /request line/)
breach('another protocol version', refresh.replace('HTTP/1.1', 'HTTP/1.0'), /request line/)
breach('several lines in the body', request('POST /x', '{\n"a":1}'), /several lines/)
breach('a body that is no JSON', request('POST /x', '{"a":'), /no JSON/)
breach('a body that is not compact', request('POST /x', '{"a": 1}'), /not compact/)
breach('an empty object as body', request('POST /x', '{}'), /no body/)
breach('a second request before the answer', [run, refresh], /\/refresh before the answer/)
breach('a second request after stop while the answer is owed', [run, stop, refresh], /\/refresh before the answer/)
breach('two requests in one segment', run + refresh, /\/refresh before the answer/)
breach('a request in one segment with stop', stop + refresh, /\/refresh in one segment/)
breach(
  'half a request in one segment with stop',
  [stop + refresh.slice(0, 9), refresh.slice(9)],
  /\/refresh in one seg/,
)

breaks.run()

const takes = suite('the agent takes')

takes('a request whole: method, path, headers, body, bytes', async () => {
  const { daemon, agent } = await started()
  daemon.write(run)
  const got = await agent.next('/shell/run')
  const headers = { 'Content-Length': '27', 'Content-Type': 'application/json' }
  assert.equal(got, { method: 'POST', path: '/shell/run', headers, body: { run: 'uname', echo: true }, raw: run })
  await agent.close()
})

takes('a request byte by byte', async () => {
  const { daemon, agent } = await started()
  for (const byte of run) {
    daemon.write(byte)
    await turn()
  }
  assert.is((await agent.next()).raw, run)
  await agent.close()
})

takes('escapes in upper and lower case, in and beyond the basic plane', async () => {
  const { daemon, agent } = await started()
  daemon.write(request('POST /x', '{"a":"\\u00E9\\u00e9\\ud83d\\uDE00"}'))
  assert.equal((await agent.next()).body, { a: 'éé😀' })
  await agent.close()
})

takes('stop, reboot and poweroff before the answer, in one segment too', async () => {
  const { daemon, agent } = await started()
  daemon.write(run + stop + request('POST /reboot') + request('POST /poweroff'))
  for (const path of ['/shell/run', '/stop', '/reboot', '/poweroff']) await agent.next(path)
  assert.is(agent.owed, 3)
  await agent.close()
})

takes('the next request after its answer, and after an overdue one', async () => {
  const { daemon, until, agent } = await started()
  daemon.write(run)
  await agent.next()
  agent.answer(200)
  await until('200 OK')
  daemon.write(refresh)
  await agent.next('/refresh')
  agent.overdue()
  daemon.write(run)
  await agent.next('/shell/run')
  assert.equal(
    agent.requests.map(each => each.path),
    ['/shell/run', '/refresh', '/shell/run'],
  )
  await agent.close()
})

takes('no other path than the one that the test awaits', async () => {
  const { daemon, agent } = await started()
  daemon.write(run)
  assert.match(await failure(agent.next('/refresh')), /127\.0\.0\.2: waiting for \/refresh: got POST \/shell\/run/)
  await agent.close()
})

takes('the end of the connection as an answer to next()', async () => {
  const { daemon, agent } = await started()
  daemon.end()
  assert.match(await failure(agent.next('/probe')), /waiting for \/probe: the connection is closed/)
  await agent.closed
})

takes.run()

const says = suite('the agent says')

says('200 without a body to the first refresh, from its own address', async () => {
  const { daemon, connecting, until } = await pair({ addr: '127.0.0.77' })
  daemon.write(refresh)
  const agent = await connecting
  assert.is(daemon.remoteAddress, '127.0.0.77')
  assert.is(await until('\r\n\r\n'), 'HTTP/1.0 200 OK\r\n\r\n')
  await agent.close()
})

says('what the test wants as first refresh', async () => {
  const { daemon, connecting, until } = await pair({ refresh: { status: 200, body: { status: 'LINUX' } } })
  daemon.write(refresh)
  const agent = await connecting
  assert.match(await until('}'), /Content-Length: 18\r\nContent-Type: application\/json\r\n\r\n\{"status":"LINUX"\}$/)
  await agent.close()
})

says('nothing when the first request is no refresh, and fails', async () => {
  const { daemon, connecting } = await pair({})
  daemon.write(run)
  assert.match(await failure(connecting), /waiting for \/refresh: got POST \/shell\/run/)
})

says('bytes counted, not characters', async () => {
  const { until, agent } = await started()
  agent.answer(200, { out: 'é' })
  assert.match(await until('}'), /Content-Length: 12\r/)
  await agent.close()
})

says('a session event', async () => {
  const { until, agent } = await started()
  agent.event('start', 'ana')
  assert.match(
    await until('}'),
    /^HTTP\/1\.0 103 Early Hints\r\n.*\{"event":"session","action":"start","user":"ana"\}$/s,
  )
  await agent.close()
})

says('any bytes, at once and one by one, and counts the answers in them', async () => {
  const { daemon, until, agent } = await started()
  daemon.write(run + stop)
  await agent.next()
  await agent.sendByByte('HTTP/1.0 103 Early Hints\r\n\r\n')
  assert.is(agent.owed, 1)
  agent.send(Buffer.from('HTTP/1.0 500 Internal Server Error\r\n\r\n'))
  assert.is(agent.owed, 0)
  assert.match(await until('Error\r\n\r\n'), /^HTTP\/1\.0 103 Early Hints\r\n\r\nHTTP\/1\.0 500/)
  await agent.close()
})

const served = async (auto: AgentOptions['auto'], sent: string) => {
  const { daemon, until, agent } = await started({ auto })
  daemon.write(sent)
  return { until, agent }
}

says('what its table holds: an answer, a handler, or the rest', async () => {
  const auto = { '/refresh': { status: 200 }, '/probe': () => ({ status: 202 }), '*': { status: 400 } }
  const answers = [refresh, request('POST /probe'), run].map(async sent => {
    const { until, agent } = await served(auto, sent)
    const heard = await until('\r\n\r\n')
    await agent.close()
    return heard.slice(9, 12)
  })
  assert.equal(await Promise.all(answers), ['200', '202', '400'])
})

says('a delayed answer when its time has come, or a failure when it is broken off', async () => {
  const late = await served({ '*': { status: 200, delay: 5 } }, run)
  assert.match(await late.until('\r\n\r\n'), /200 OK/)
  const stopped: Answers = { '/stop': (_, agent) => void agent.abort(), '*': { status: 200, delay: 60_000 } }
  const early = await served(stopped, run + stop)
  assert.match(await early.until('\r\n\r\n'), /500 Internal/)
  await Promise.all([late.agent.close(), early.agent.close()])
})

says('goodbye in order, or with a reset', async () => {
  const orderly = await started()
  orderly.daemon.resume()
  await Promise.all([once(orderly.daemon, 'end'), orderly.agent.close()])
  const crashed = await started()
  const [error] = await Promise.all([
    once(crashed.daemon, 'error').then(([each]) => each.code),
    crashed.agent.destroy(),
  ])
  assert.is(error, 'ECONNRESET')
  await crashed.agent.closed
})

says.run()
