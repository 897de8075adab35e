// Ordinary HTTP/1.1 on the callers' port, and bytes that are not.
import { setImmediate as turn } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { bytesOf, connectCaller, headEnd, statusesIn } from '../harness/raw-http.ts'
import { startLab, token } from '../harness/test-host.ts'

const lab = await startLab()
const open = () => connectCaller(lab.host.ports.rest)
const keep = { Connection: undefined }

const http = suite('HTTP/1.1')

http('a connection serves one request after the other, refused ones too', async () => {
  const caller = open()
  const asked: [route: string, status: number, Authorization?: string][] = [
    ['GET /clients', 200],
    ['GET /nowhere', 404],
    ['GET /clients', 401, 'another'],
    ['PUT /clients', 405],
    ['POST /scopes', 405],
    ['POST /clients', 400],
    ['GET /scopes', 200],
  ]
  for (const [index, [route, status, Authorization = token]] of asked.entries()) {
    caller.socket.write(bytesOf(route, { headers: { ...keep, Authorization } }))
    const text = await caller.until({ test: text => statusesIn(text).length > index })
    is(statusesIn(text).at(-1), status)
  }
  caller.socket.destroy()
})

http('requests that are sent at once are answered in their order', async () => {
  const routes = ['GET /clients', 'PUT /x', 'GET /nowhere', 'GET /scopes', 'POST /wol']
  const body = 'no JSON'
  const requests = [...routes.map(route => bytesOf(route, { headers: keep })), bytesOf('GET /clients', { body })]
  equal(statusesIn(await lab.raw(requests.join(''))), [200, 405, 404, 200, 400, 404])
})

http('a caller that says at once that it has no more gets all answers', async () => {
  const caller = open()
  caller.socket.end(bytesOf('GET /scopes', { headers: keep }).repeat(5))
  equal(statusesIn(await caller.closed), [200, 200, 200, 200, 200])
})

http('requests that are sent at once are done one after the other', async () => {
  const add = (name: string) => bytesOf('POST /center/add', { headers: keep, body: JSON.stringify({ name }) })
  const scopes = bytesOf('GET /scopes', { headers: keep })
  const text = await lab.raw(`${add('One')}${scopes}${add('One')}${add('Two')}${bytesOf('GET /scopes')}`)
  equal(statusesIn(text), [200, 200, 400, 200, 200])
  const [, first = '', second = ''] = text.split('{"scope":')
  equal([/"One"/.test(first), /"Two"/.test(first), /"Two"/.test(second)], [true, false, true])
})

http('the connection closes after the answer when the caller wants it', async () => {
  match(await lab.raw(bytesOf('GET /clients')), /\r\nConnection: close\r\n[\s\S]*\{"clients":\[\]\}$/)
})

http('a request may come in single bytes', async () => {
  const caller = open()
  for (const byte of bytesOf('POST /center/add', { body: '{"name": "Byte by byte"}' })) {
    caller.socket.write(byte)
    await turn()
  }
  equal(statusesIn(await caller.closed), [200])
})

http('a request without Host is served', async () => {
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: { Host: undefined } }))), [200])
})

http('a request of HTTP/1.0 is served, then the connection closes', async () => {
  const text = await lab.raw(`GET /clients HTTP/1.0\r\nAuthorization: ${token}\r\n\r\n`)
  equal(statusesIn(text), [200])
  ok(text.endsWith('{"clients":[]}'))
})

http('the last of thousands of header fields counts', async () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`X-${index}`, '']))
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: { Authorization: undefined, ...many } }))), [401])
  const last = { Authorization: undefined, ...many, authorization: token }
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: last }))), [200])
})

http('who expects 100 Continue gets it, then the answer', async () => {
  const caller = open()
  const [head = '', body] = bytesOf('POST /center/add', {
    headers: { Expect: '100-continue' },
    body: '{"name": "Continued"}',
  }).split(/(?<=\r\n\r\n)/)
  caller.socket.write(head)
  equal(statusesIn(await caller.until(headEnd)), [100])
  caller.socket.write(body ?? '')
  equal(statusesIn(await caller.closed), [100, 200])
})

http('who expects 100 Continue for what is refused anyway gets only the refusal', async () => {
  const headers = { Expect: '100-continue', 'Content-Length': '200000' }
  equal(statusesIn(await lab.raw(bytesOf('POST /center/add', { headers }), headEnd)), [413])
  equal(statusesIn(await lab.raw(bytesOf('PUT /center/add', { headers }), headEnd)), [405])
})

http('another expectation changes nothing', async () => {
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: { Expect: 'miracles' } }))), [200])
})

http('an upgrade to another protocol is ignored', async () => {
  for (const Upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
    const headers = { Connection: 'Upgrade, close', Upgrade }
    equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers }))), [200])
    equal(statusesIn(await lab.raw(bytesOf('POST /clients', { headers, body: '{}' }))), [400])
  }
})

http.run()

const broken = suite('no HTTP')
broken.after(() => lab.stop())

const chunks = { 'Transfer-Encoding': 'chunked' }
const bytes: Record<string, [sent: string | Buffer, status: number]> = {
  'a greeting': ['hello\r\n\r\n', 405],
  'a TLS handshake': [Buffer.from('16030100c8010000c40303', 'hex'), 405],
  'zero bytes': [Buffer.alloc(64), 405],
  'the agents side of the protocol': ['HTTP/1.0 200 OK\r\n\r\n', 405],
  'another version': ['GET /clients HTTP/3.7\r\n\r\n', 400],
  'another protocol': ['GET /clients SIP/2.0\r\n\r\n', 400],
  'a path without a slash': ['GET clients HTTP/1.1\r\n\r\n', 400],
  'a path with bytes that are not ASCII': ['GET /é HTTP/1.1\r\n\r\n', 400],
  'a header without a colon': [bytesOf('GET /clients').replace('Host:', 'Host'), 400],
  'a header with a NUL': [bytesOf('GET /clients', { headers: { X: 'a\0b' } }), 400],
  'a length that is no number': [bytesOf('POST /clients', { headers: { 'Content-Length': 'ten' } }), 400],
  'a negative length': [bytesOf('POST /clients', { headers: { 'Content-Length': '-1' } }), 400],
  'two lengths': [bytesOf('POST /clients', { headers: { 'content-length': '7' } }), 400],
  'a length and chunks': [bytesOf('POST /clients', { headers: { ...chunks, 'Content-Length': '5' } }), 400],
  'a transfer coding that nobody knows': [bytesOf('POST /clients', { headers: { 'Transfer-Encoding': 'x' } }), 400],
  'a chunk size that is no number': [bytesOf('POST /clients', { headers: chunks, body: 'zz\r\n' }), 400],
  'a chunk that is longer than it says': [bytesOf('POST /clients', { headers: chunks, body: '1\r\nab\r\n' }), 400],
}

for (const [name, [sent, status]] of Object.entries(bytes)) {
  broken(`${name}: ${status} without a body, one line in the log, and the connection closes`, async () => {
    const before = lab.log.length
    const text = await lab.raw(sent)
    equal(statusesIn(text), [status])
    match(text, /\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/)
    is((await lab.call('GET /clients')).status, 200)
    is(lab.log.length, before + 1)
    match(lab.log.at(-1) ?? '', new RegExp(`rest: .*from 127\\.0\\.0\\.1: ${status}, Parse Error: `))
  })
}

broken('what follows a request and is none does not keep its answer back', async () => {
  const text = await lab.raw(`${bytesOf('GET /clients', { headers: keep })}nonsense\r\n\r\n`)
  equal(statusesIn(text), [200, 405])
  match(text, /\{"clients":\[\]\}HTTP/)
})

broken('a CONNECT that follows a request waits for its answer', async () => {
  const text = await lab.raw(`${bytesOf('GET /clients', { headers: keep })}CONNECT x:1 HTTP/1.1\r\n\r\n`)
  equal(statusesIn(text), [200, 405])
})

broken('a request that its caller ends in the middle is 400', async () => {
  const caller = open()
  const before = lab.log.length
  caller.socket.end(bytesOf('POST /clients', { body: '{"clients": ["10.0.0.1"]}' }).slice(0, -5))
  equal(statusesIn(await caller.closed), [400])
  is(lab.log.length, before + 1)
  match(lab.log.at(-1) ?? '', /rest: POST \/clients from 127\.0\.0\.1: 400, Parse Error/)
})

broken('a caller that vanishes in the middle of a request leaves one line in the log', async () => {
  const caller = open()
  const headers = { ...keep, Expect: '100-continue' }
  caller.socket.write(bytesOf('POST /client/add', { headers, body: '{}' }).slice(0, -1))
  await caller.until(/100 Continue/)
  const before = lab.log.length
  caller.socket.resetAndDestroy()
  match(await lab.logged(/broken off/), /rest: POST \/client\/add .*: broken off by the caller/)
  is((await lab.call('GET /clients')).status, 200)
  equal(lab.log.slice(before + 1), [])
})

broken('a caller that vanishes before its answer harms nobody', async () => {
  for (let count = 0; count < 20; count += 1) {
    const caller = open()
    caller.socket.write(bytesOf('POST /center/add', { body: `{"name": "Vanished ${count}"}` }))
    caller.socket.resetAndDestroy()
    await caller.closed
  }
  is((await lab.call('GET /clients')).status, 200)
})

broken.run()
