// A request that is not complete after 10 s is closed. In a file of its own, so that it runs in parallel with the others.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { bytesOf, chunked, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { seconds: 12, tls: true }

const lab = await startTestHost()
const test = suite('slow senders')
test.after(() => lab.stop())

/** Resolves with the milliseconds after which a connection is closed that sends nothing after its response. */
async function idleTime(): Promise<number> {
  const { socket, until, closed } = connectCaller(lab.host.ports.rest)
  socket.write(bytesOf('GET /clients', { headers: { Connection: undefined } }))
  await until(endOfHead)
  const started = Date.now()
  await closed
  return Date.now() - started
}

const idle = idleTime()

const body = '{"clients": ["10.0.0.1"]}'
const post = bytesOf('POST /clients', { body })
const beginnings = {
  'that sends nothing': '',
  'that stops in its first line': 'GET /cli',
  'that stops in its headers': post.slice(0, 60),
  'that stops in its body': post.slice(0, -1),
  'that stops between two chunks': bytesOf('POST /clients', {
    headers: { 'Transfer-Encoding': 'chunked' },
    body: chunked(body).slice(0, -5),
  }),
}

/** Milliseconds; the daemon checks once per second. */
const earliest = 9_900
const latest = 14_000

test('a request that is not complete after 10 s is closed and logged in one line, and other requests are served', async () => {
  const started = Date.now()
  const expectClose = async (name: string, start: string, trickle = '') => {
    const { socket, ...caller } = connectCaller(lab.host.ports.rest)
    socket.write(start)
    // A sender that trickles bytes must not be able to keep its connection open.
    const timer = trickle === '' ? undefined : setInterval(() => socket.write(trickle), 500)
    const text = await caller.closed
    clearInterval(timer)
    const after = Date.now() - started
    ok(after > earliest && after < latest, `the caller ${name} was closed after ${after} ms`)
    equal([name, text], [name, ''])
  }
  const all = Object.entries(beginnings).map(([name, start]) => expectClose(name, start))
  all.push(expectClose('that sends a byte every 500 ms', post.slice(0, post.indexOf('\r\n\r\n') + 2), 'x'))
  is((await lab.call('GET /clients')).status, 200)
  await Promise.all(all)
  const lines = lab.log.filter(line => line.includes(' rest: '))
  is(lines.length, all.length)
  for (const line of lines) match(line, /from 127\.0\.0\.1: closed, not complete after 10 s/)
  is(lines.filter(line => line.includes('POST /clients from')).length, 2)
})

test('a connection without a request is closed after 5 s', async () => {
  const time = await idle
  ok(time > 4_900 && time < 9_000, `closed after ${time} ms`)
})

test('a connection whose request was refused before its body arrived is closed without a second response', async () => {
  const { socket, until, closed } = connectCaller(lab.host.ports.rest)
  socket.write(bytesOf('PUT /clients', { headers: { Connection: undefined, 'Content-Length': '100' } }))
  equal(statusesIn(await until(endOfHead)), [405])
  socket.end()
  equal(statusesIn(await closed), [405])
})

test.run()
