// HTTP/1.1 on the REST port, and bytes that are not HTTP.
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { bytesOf, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost, token } from '../harness/test-host.ts'
import { resetSocket } from '../harness/transport.ts'

export const runs = { tls: true }

const lab = await startTestHost()
const open = () => connectCaller(lab.host.ports.rest)
const keep = { Connection: undefined }

const http = suite('HTTP/1.1')

http('a connection serves several requests one after the other, also after refusals', async () => {
  const caller = open()
  const requests: [route: string, status: number, Authorization?: string][] = [
    ['GET /clients', 200],
    ['GET /nowhere', 404],
    ['GET /clients', 401, 'another'],
    ['PUT /clients', 405],
    ['POST /scopes', 405],
    ['POST /clients', 400],
    ['GET /scopes', 200],
  ]
  for (const [index, [route, status, Authorization = token]] of requests.entries()) {
    caller.socket.write(bytesOf(route, { headers: { ...keep, Authorization } }))
    const text = await caller.until({ test: text => statusesIn(text).length > index })
    is(statusesIn(text).at(-1), status)
  }
  caller.socket.destroy()
})

http('pipelined requests get their responses in order', async () => {
  const routes = ['GET /clients', 'PUT /x', 'GET /nowhere', 'GET /scopes', 'POST /wol']
  const body = 'no JSON'
  const requests = [...routes.map(route => bytesOf(route, { headers: keep })), bytesOf('GET /clients', { body })]
  equal(statusesIn(await lab.raw(requests.join(''))), [200, 405, 404, 200, 400, 404])
})

http('a caller that half-closes after pipelined requests receives all responses', async () => {
  const caller = open()
  caller.socket.end(bytesOf('GET /scopes', { headers: keep }).repeat(5))
  equal(statusesIn(await caller.closed), [200, 200, 200, 200, 200])
})

http('pipelined requests are executed one after the other', async () => {
  const add = (name: string) => bytesOf('POST /center/add', { headers: keep, body: JSON.stringify({ name }) })
  const scopes = bytesOf('GET /scopes', { headers: keep })
  const text = await lab.raw(`${add('One')}${scopes}${add('One')}${add('Two')}${bytesOf('GET /scopes')}`)
  equal(statusesIn(text), [200, 200, 400, 200, 200])
  const [, first = '', second = ''] = text.split('{"scope":')
  equal([/"One"/.test(first), /"Two"/.test(first), /"Two"/.test(second)], [true, false, true])
})

http('the connection closes after the response when the caller sends Connection: close', async () => {
  match(await lab.raw(bytesOf('GET /clients')), /\r\nConnection: close\r\n[\s\S]*\{"clients":\[\]\}$/)
})

http('a request may arrive byte by byte', async () => {
  const caller = open()
  for (const byte of bytesOf('POST /center/add', { body: '{"name": "Byte by byte"}' })) {
    caller.socket.write(byte)
    await nextTick()
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

http('the last of thousands of header fields is read', async () => {
  // Short names: 36 and more in base 36.
  const many = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [(index + 36).toString(36), '']))
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: { Authorization: undefined, ...many } }))), [401])
  const last = { Authorization: undefined, ...many, authorization: token }
  equal(statusesIn(await lab.raw(bytesOf('GET /clients', { headers: last }))), [200])
})

http('a caller that expects 100 Continue receives it, then the response', async () => {
  const caller = open()
  const [head = '', body] = bytesOf('POST /center/add', {
    headers: { Expect: '100-continue' },
    body: '{"name": "Continued"}',
  }).split(/(?<=\r\n\r\n)/)
  caller.socket.write(head)
  equal(statusesIn(await caller.until(endOfHead)), [100])
  caller.socket.write(body ?? '')
  equal(statusesIn(await caller.closed), [100, 200])
})

http('a refused request that expects 100 Continue gets only the refusal', async () => {
  const headers = { Expect: '100-continue', 'Content-Length': '200000' }
  equal(statusesIn(await lab.raw(bytesOf('POST /center/add', { headers }), endOfHead)), [413])
  equal(statusesIn(await lab.raw(bytesOf('PUT /center/add', { headers }), endOfHead)), [405])
})

http('other expectations are ignored', async () => {
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

const malformed = suite('malformed requests')
malformed.after(() => lab.stop())

const chunks = { 'Transfer-Encoding': 'chunked' }
const bytes: Record<string, [sent: string | Buffer, status: number]> = {
  'a greeting': ['hello\r\n\r\n', 405],
  'a TLS handshake': [Buffer.from('16030100c8010000c40303', 'hex'), 405],
  'zero bytes': [Buffer.alloc(64), 405],
  'the first line of a response': ['HTTP/1.0 200 OK\r\n\r\n', 405],
  'another version': ['GET /clients HTTP/3.7\r\n\r\n', 400],
  'another protocol': ['GET /clients SIP/2.0\r\n\r\n', 400],
  'a path without a slash': ['GET clients HTTP/1.1\r\n\r\n', 400],
  'a path with bytes that are not ASCII': ['GET /é HTTP/1.1\r\n\r\n', 400],
  'a header without a colon': [bytesOf('GET /clients').replace('Host:', 'Host'), 400],
  'a header with a NUL': [bytesOf('GET /clients', { headers: { X: 'a\0b' } }), 400],
  'a length that is not a number': [bytesOf('POST /clients', { headers: { 'Content-Length': 'ten' } }), 400],
  'a negative length': [bytesOf('POST /clients', { headers: { 'Content-Length': '-1' } }), 400],
  'two lengths': [bytesOf('POST /clients', { headers: { 'content-length': '7' } }), 400],
  'a length and chunks': [bytesOf('POST /clients', { headers: { ...chunks, 'Content-Length': '5' } }), 400],
  'an unknown transfer coding': [bytesOf('POST /clients', { headers: { 'Transfer-Encoding': 'x' } }), 400],
  'a chunk size that is not a number': [bytesOf('POST /clients', { headers: chunks, body: 'zz\r\n' }), 400],
  'a chunk that is longer than its size': [bytesOf('POST /clients', { headers: chunks, body: '1\r\nab\r\n' }), 400],
}

for (const [name, [sent, status]] of Object.entries(bytes)) {
  malformed(`${name}: ${status} without a body, one line in the log, and the connection closes`, async () => {
    const before = lab.log.length
    const text = await lab.raw(sent)
    equal(statusesIn(text), [status])
    match(text, /\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/)
    is((await lab.call('GET /clients')).status, 200)
    is(lab.log.length, before + 1)
    match(lab.log.at(-1) ?? '', new RegExp(`rest: .*from 127\\.0\\.0\\.1: ${status}, Parse Error: `))
  })
}

malformed('bytes after a request that are not a request do not delay its response', async () => {
  const text = await lab.raw(`${bytesOf('GET /clients', { headers: keep })}nonsense\r\n\r\n`)
  equal(statusesIn(text), [200, 405])
  match(text, /\{"clients":\[\]\}HTTP/)
})

malformed('a CONNECT after a request is refused after the response to that request', async () => {
  const text = await lab.raw(`${bytesOf('GET /clients', { headers: keep })}CONNECT x:1 HTTP/1.1\r\n\r\n`)
  equal(statusesIn(text), [200, 405])
})

malformed('a request whose caller half-closes in the middle is 400', async () => {
  const caller = open()
  const before = lab.log.length
  caller.socket.end(bytesOf('POST /clients', { body: '{"clients": ["10.0.0.1"]}' }).slice(0, -5))
  equal(statusesIn(await caller.closed), [400])
  is(lab.log.length, before + 1)
  match(lab.log.at(-1) ?? '', /rest: POST \/clients from 127\.0\.0\.1: 400, Parse Error/)
})

malformed('a connection that is reset in the middle of a request is logged in one line', async () => {
  const caller = open()
  const headers = { ...keep, Expect: '100-continue' }
  caller.socket.write(bytesOf('POST /client/add', { headers, body: '{}' }).slice(0, -1))
  await caller.until(/100 Continue/)
  const before = lab.log.length
  resetSocket(caller.socket)
  match(await lab.logged(/aborted/), /rest: POST \/client\/add .*: aborted by the caller/)
  is((await lab.call('GET /clients')).status, 200)
  equal(lab.log.slice(before + 1), [])
})

malformed('connections that are reset before their responses do not affect other callers', async () => {
  for (let count = 0; count < 20; count += 1) {
    const caller = open()
    caller.socket.write(bytesOf('POST /center/add', { body: `{"name": "Reset ${count}"}` }))
    resetSocket(caller.socket)
    await caller.closed
  }
  is((await lab.call('GET /clients')).status, 200)
})

malformed.run()
