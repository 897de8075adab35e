// A request that is not complete after 10 s is closed; a file of its own, as it takes its time beside the others.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { bytesOf, chunked, connectCaller, headEnd, statusesIn } from '../harness/raw-http.ts'
import { startLab } from '../harness/test-host.ts'

const lab = await startLab()
const test = suite('slow senders')
test.after(() => lab.stop())

const body = '{"clients": ["10.0.0.1"]}'
const post = bytesOf('POST /clients', { body })
const slow = {
  'that sends nothing': '',
  'that stops in its first line': 'GET /cli',
  'that stops in its headers': post.slice(0, 60),
  'that stops in its body': post.slice(0, -1),
  'that stops between two chunks': bytesOf('POST /clients', {
    headers: { 'Transfer-Encoding': 'chunked' },
    body: chunked(body).slice(0, -5),
  }),
}

/** Milliseconds; the daemon looks once a second. */
const earliest = 9_900
const latest = 14_000

test('a request that is not complete after 10 s is closed, with one line in the log; others are served', async () => {
  const started = Date.now()
  const closed = async (name: string, start: string, trickle = '') => {
    const { socket, ...caller } = connectCaller(lab.host.ports.rest)
    socket.write(start)
    // Bytes that come now and then do not count as complete.
    const timer = trickle === '' ? undefined : setInterval(() => socket.write(trickle), 500)
    const text = await caller.closed
    clearInterval(timer)
    const after = Date.now() - started
    ok(after > earliest && after < latest, `one ${name} was closed after ${after} ms`)
    equal([name, text], [name, ''])
  }
  const all = Object.entries(slow).map(([name, start]) => closed(name, start))
  all.push(closed('that sends a byte now and then', post.slice(0, post.indexOf('\r\n\r\n') + 2), 'x'))
  is((await lab.call('GET /clients')).status, 200)
  await Promise.all(all)
  const lines = lab.log.filter(line => line.includes(' rest: '))
  is(lines.length, all.length)
  for (const line of lines) match(line, /from 127\.0\.0\.1: closed, not complete after 10 s/)
  is(lines.filter(line => line.includes('POST /clients from')).length, 2)
})

test('a connection that was refused before its body had come is closed too, without a second answer', async () => {
  const { socket, until, closed } = connectCaller(lab.host.ports.rest)
  socket.write(bytesOf('PUT /clients', { headers: { Connection: undefined, 'Content-Length': '100' } }))
  equal(statusesIn(await until(headEnd)), [405])
  socket.end()
  equal(statusesIn(await closed), [405])
})

test.run()
