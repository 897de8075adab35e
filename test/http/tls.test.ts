// TLS: its versions, handshakes that fail or never end, renewed certificates, and what a browser gets.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect as secureConnect, type TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { startQuietTimer } from '../harness/quiet-timer.ts'
import { bytesOf, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'
import { fixture, transport } from '../harness/transport.ts'

export const runs = { seconds: 12, alone: true }

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
function use(name: string): void {
  copyFileSync(fixture(`${name}-cert.pem`), tls.cert)
  copyFileSync(fixture(`${name}-key.pem`), tls.key)
}
use('server')
transport.isSecure = true
const lab = await startTestHost({ options: { rest: { port: 0, tls } } })
const port = lab.host.ports.rest

const test = suite('TLS')
test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true })
})

const closed = (socket: Socket) => new Promise<void>(resolve => socket.once('close', () => resolve()))

/** The name in the certificate of the server, or the error of the handshake. */
function shakeHands(options: ConnectionOptions = {}): Promise<string> {
  return new Promise(resolve => {
    const socket: TLSSocket = secureConnect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.once('error', error => resolve(`${error}`))
  })
}

test('TLS 1.3 and 1.2 are spoken, TLS 1.1 is refused with a line in the log', async () => {
  for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
    is(await shakeHands({ minVersion: version, maxVersion: version }), 'fleet-host test')
  }
  const ciphers = 'DEFAULT@SECLEVEL=0'
  match(await shakeHands({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers }), /protocol version/)
  match(
    await lab.logged(/no TLS/),
    /warn {2}rest: connection from 127\.0\.0\.1: closed, no TLS, .*unsupported protocol/,
  )
})

test('plain HTTP gets no response and a line in the log', async () => {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf('GET /clients')))
  let text = ''
  socket.on('data', chunk => (text += chunk)).on('error', () => {})
  await closed(socket)
  not.match(text, /HTTP/)
  match(await lab.logged(/plain HTTP/), /connection from 127\.0\.0\.1: closed, the request is plain HTTP/)
  is((await lab.call('GET /clients')).status, 200)
})

test('a connection that closes without a byte leaves no line in the log', async () => {
  const before = lab.log.length
  const socket = connect(port, '127.0.0.1', () => socket.end())
  socket.resume()
  await closed(socket)
  is((await lab.call('GET /clients')).status, 200)
  equal(lab.log.slice(before), [])
})

test('a handshake that has not ended after 10 s is closed, also when its bytes come one by one', async () => {
  // The record of a ClientHello of 512 bytes.
  const bytes = Buffer.from([22, 3, 1, 2, 4, 1, 0, 2, 0, 3, 3, ...Array(500).fill(0)])
  const silent = connect(port, '127.0.0.1')
  const slow = connect(port, '127.0.0.1')
  let sent = 0
  const timer = setInterval(() => slow.write(bytes.subarray(sent, ++sent)), 100)
  for (const socket of [silent, slow]) socket.on('error', () => {}).resume()
  const began = performance.now()
  await Promise.all([closed(silent), closed(slow)])
  clearInterval(timer)
  const seconds = (performance.now() - began) / 1000
  ok(seconds > 8 && seconds < 14, `${seconds} s`)
  const lines = lab.log.filter(line => /no TLS handshake after 10 s/.test(line))
  is(lines.length, 2, lab.log.join(''))
})

test('the limits of connections count before the handshake', async () => {
  const small = await startTestHost({ options: { limits: { connections: 2 }, rest: { port: 0, tls } } })
  const { rest } = small.host.ports
  const idle = [connect(rest, '127.0.0.1'), connect(rest, '127.0.0.1')]
  for (const socket of idle) socket.on('error', () => {}).resume()
  const third = connect(rest, '127.0.0.1')
  third.on('error', () => {}).resume()
  await closed(third)
  match(await small.logged(/closed/), /127\.0\.0\.1: closed, more than 2 connections/)
  // Their handshakes do not keep the daemon from stopping.
  const time = startQuietTimer()
  await small.stop()
  ok(time() < 5000)
})

test('a connection that has closed is not counted any more', async () => {
  const small = await startTestHost({ options: { limits: { connections: 1 }, rest: { port: 0, tls } } })
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(small.host.ports.rest, '127.0.0.1', () => socket.end('no TLS at all\r\n'))
    socket.on('error', () => {}).resume()
    await closed(socket)
    const caller = connectCaller(small.host.ports.rest)
    caller.socket.write(bytesOf('GET /clients'))
    equal(statusesIn(await caller.closed), [200])
  }
  await small.stop()
})

test('a renewed certificate is in force without a dropped connection', async () => {
  const caller = connectCaller(port)
  const get = bytesOf('GET /clients', { headers: { Connection: undefined } })
  caller.socket.write(get)
  await caller.until(endOfHead)
  use('renewed')
  lab.host.reloadCertificate()
  is(await shakeHands(), 'fleet-host test, renewed')
  copyFileSync(fixture('server-key.pem'), tls.key)
  lab.host.reloadCertificate()
  match(await lab.logged(/not renewed/), /certificate not renewed, the old one stays: .*key values mismatch/)
  is(await shakeHands(), 'fleet-host test, renewed')
  caller.socket.write(get)
  await caller.until({ test: text => statusesIn(text).length === 2 })
  use('server')
  lab.host.reloadCertificate()
  caller.socket.write(bytesOf('GET /clients'))
  equal(statusesIn(await caller.closed), [200, 200, 200])
})

test('GET /metrics has the days until the certificate expires', async () => {
  const { text } = await lab.call('GET /metrics')
  const [, days = ''] = /^fleet_certificate_days (\d+)$/m.exec(text) ?? []
  ok(Number(days) > 30_000, days)
})

test('a page has HSTS over TLS', async () => {
  const { headers } = await lab.call('GET /docs')
  is(headers['strict-transport-security'], 'max-age=2592000')
  is((await lab.call('GET /clients')).headers['strict-transport-security'], undefined)
})

test.run()
