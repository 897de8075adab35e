// A daemon whose process was stopped for longer than the time limits: callers are not closed for it. In a file of its
// own, so that it runs in parallel with the others.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { bytesOf } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'
import { serverCertificate, transport } from '../harness/transport.ts'

export const runs = { seconds: 12, tls: true }

const lab = await startTestHost()
const test = suite('stalls')
test.after(() => lab.stop())

/** Milliseconds, above the 10 s of a request and the 5 s of a connection without one. */
const stall = 11_000

// In a thread, so that it sends while this one is stopped.
const callers = `
const { parentPort, workerData: { port, parts, ca } } = require('node:worker_threads')
const net = require('node:net')
const tls = require('node:tls')
const connect = ca ? tls.connect : net.connect
// Its handshake begins while the daemon is stopped.
const waiting = ca && net.connect({ port, host: '127.0.0.1' })
let connected = 0
const callers = parts.map(([before, during]) => {
  const socket = connect({ port, host: '127.0.0.1', ca }, () => {
    socket.write(before)
    connected += 1
    if (connected === parts.length) setTimeout(() => parentPort.postMessage('connected'), 500)
  })
  let text = ''
  socket.on('data', chunk => { text += chunk })
  socket.on('error', error => { text += error.code })
  socket.on('close', () => parentPort.postMessage({ before, text }))
  return { socket, during }
})
parentPort.on('message', () => {
  setTimeout(() => {
    for (const { socket, during } of callers) socket.write(during)
    if (!ca) return
    const post = text => parentPort.postMessage({ before: 'handshake', text })
    const socket = tls.connect({ socket: waiting, ca }, () => socket.write(parts[0][1]))
    socket.once('data', chunk => post(String(chunk)))
    socket.once('error', error => post(error.code))
  }, ${stall / 2})
})
`

test('requests that were sent while the daemon was stopped are served', async () => {
  const get = bytesOf('GET /scopes')
  const keep = bytesOf('GET /scopes', { headers: { Connection: undefined } })
  const post = bytesOf('POST /center/add', { body: JSON.stringify({ name: 'Stalled', comment: 'x'.repeat(100_000) }) })
  const parts = [
    ['', get],
    [get.slice(0, 40), get.slice(40)],
    [post.slice(0, 300), post.slice(300)],
    [keep, get],
  ]
  const ca = transport.isSecure ? serverCertificate.toString() : undefined
  const worker = new Worker(callers, { eval: true, workerData: { port: lab.host.ports.rest, parts, ca } })
  await once(worker, 'message')
  worker.postMessage('stall')
  const texts = new Map<string, string>()
  const closed = new Promise<void>(resolve => {
    worker.on('message', ({ before, text }: { before: string; text: string }) => {
      texts.set(before, text.replaceAll(/\r\n[\s\S]*?(?=HTTP|$)/g, ';'))
      if (texts.size === parts.length + (transport.isSecure ? 1 : 0)) resolve()
    })
  })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stall)
  await closed
  const served = 'HTTP/1.1 200 OK;'
  equal(
    parts.map(([before = '']) => texts.get(before)),
    [served, served, served, served + served],
  )
  if (transport.isSecure) is(texts.get('handshake'), served)
  await worker.terminate()
})

test.run()
