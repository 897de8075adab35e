// Callers without the right token: nothing of their bodies is kept, and their connections are limited.
import { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { Connections } from '../../host/http/transport/connections.ts'
import { UnverifiedBytes } from '../../host/http/transport/unverified-bytes.ts'
import { createLog } from '../../host/log/log.ts'
import { limitLog } from '../../host/log/throttled-log.ts'
import { bytesOf, chunked, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const open = () => connectCaller(lab.host.ports.rest)
const chunks = { 'Transfer-Encoding': 'chunked' }
const unknown = { Authorization: 'another', Connection: undefined }
const responses = (count: number) => ({ test: (text: string) => statusesIn(text).length >= count })

const bodies = suite('bodies of unknown callers')
bodies.after(() => lab.stop())

for (const [form, headers] of Object.entries({ 'with a length': { 'Content-Length': '100000' }, chunked: chunks })) {
  bodies(`a wrong token is 401 as soon as the head is complete, before any byte of the body: ${form}`, async () => {
    const caller = open()
    caller.socket.write(bytesOf('POST /center/add', { headers: { ...unknown, ...headers } }))
    equal(statusesIn(await caller.until(endOfHead)), [401])
    caller.socket.destroy()
  })
}

bodies('a long body of an unknown caller is not received: the connection closes with the 401', async () => {
  const text = await lab.raw(bytesOf('POST /center/add', { headers: unknown, body: 'x'.repeat(100_000) }))
  equal(statusesIn(text), [401])
  match(text, /\r\nConnection: close\r\n/)
})

bodies('a long body without a length closes the connection', async () => {
  const caller = open()
  const body = chunked('x'.repeat(50_000)).slice(0, -5)
  caller.socket.write(bytesOf('POST /center/add', { headers: { ...unknown, ...chunks }, body }))
  equal(statusesIn(await caller.closed), [401])
})

for (const [form, more, body] of [
  ['with a length', {}, '{"name": "Unknown"}'],
  ['chunked', chunks, chunked('{"name": ', '"Unknown"}')],
] as const) {
  bodies(`a caller whose short body came with a wrong token can use its connection further: ${form}`, async () => {
    const caller = open()
    const send = (headers: object) =>
      caller.socket.write(
        bytesOf('POST /center/add', { headers: { Connection: undefined, ...more, ...headers }, body }),
      )
    send(unknown)
    await caller.until(responses(1))
    send({})
    equal(statusesIn(await caller.until(responses(2))), [401, 200])
    caller.socket.destroy()
    await lab.call('POST /center/delete', { id: '1' })
  })
}

bodies(
  'a caller that expects 100 Continue with a wrong token gets only the 401, and the connection closes',
  async () => {
    const headers = { ...unknown, Expect: '100-continue', 'Content-Length': '20' }
    const text = await lab.raw(bytesOf('POST /center/add', { headers }))
    equal(statusesIn(text), [401])
  },
)

bodies('a body that is not JSON is 401 with a wrong token', async () => {
  equal(statusesIn(await lab.raw(bytesOf('POST /x', { headers: { Authorization: 'another' }, body: '{' }))), [401])
})

bodies.run()

const memory = suite('memory for unknown callers')
const kilobyte = 1024

memory('requests that are not complete may have 64 MB together above 16 KB each', () => {
  const exceeded: number[] = []
  const total = { bytes: 0 }
  const connections = Array.from({ length: 1000 }, (_, index) => new UnverifiedBytes(total, () => exceeded.push(index)))
  for (const connection of connections) connection.add(16 * kilobyte)
  equal(exceeded, [])
  for (const connection of connections.slice(0, 512)) connection.add(128 * kilobyte)
  equal(exceeded, [])
  connections[600]?.add(1)
  equal(exceeded, [600])
  // A complete head, a right token and a closed connection free what they had.
  connections[0]?.startRequest()
  connections[1]?.verify()
  connections[2]?.verify()
  connections[1]?.add(1000 * kilobyte)
  connections[601]?.add(3 * 128 * kilobyte - 1)
  equal(exceeded, [600])
})

memory.run()

const limits = suite('limits of connections')

/** Connections under these limits, as the server adds them, and the lines of the log. */
function newConnections(more: object) {
  const lines: string[] = []
  const log = createLog(text => lines.push(text))
  const connections = new Connections({ ...loadOptions().options.limits, ...more }, limitLog(log), () => {})
  const add = (address: string) => {
    const socket = new Socket()
    Object.defineProperty(socket, 'remoteAddress', { value: address })
    if (connections.admit(socket)) connections.read(socket)
    return socket
  }
  return { lines, add }
}

const closed = (socket: Socket) => new Promise(resolve => socket.once('close', resolve))

limits('the newest connection above limits.connections_per_address is closed, with a line in the log', async () => {
  const { add, lines } = newConnections({ connections_per_address: 2 })
  const [first, second, third, other] = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].map(add)
  equal(
    [first, second, third, other].map(socket => socket?.destroyed),
    [false, false, true, false],
  )
  is(lines.length, 1)
  match(lines[0] ?? '', /rest: 10\.0\.0\.1: closed, more than 2 connections of this address/)
  ok(first)
  first.destroy()
  await closed(first)
  equal([add('10.0.0.1').destroyed, add('10.0.0.1').destroyed], [false, true])
})

limits('loopback addresses have no limit of their own, and get in while others fill limits.connections', () => {
  const { add } = newConnections({ connections: 3, connections_per_address: 2 })
  const network = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map(add)
  equal(
    network.map(({ destroyed }) => destroyed),
    [false, false, false, true],
  )
  const loopback = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'].map(add)
  equal(
    loopback.map(({ destroyed }) => destroyed),
    [false, false, false, true],
  )
})

limits('loopback addresses are counted apart also where the server listens on IPv6', () => {
  const { add } = newConnections({ connections: 3, connections_per_address: 1 })
  const loopback = ['::ffff:127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '::ffff:10.0.0.1'].map(add)
  equal(
    loopback.map(({ destroyed }) => destroyed),
    [false, false, false, false, true],
  )
})

limits('the IPv6 addresses of one network have one limit, and their lines in the log', () => {
  const { add, lines } = newConnections({ connections_per_address: 2 })
  const same = Array.from({ length: 100 }, (_, index) => add(`2001:db8:0:1::${(index + 1).toString(16)}`))
  equal(same.filter(({ destroyed }) => !destroyed).length, 2)
  is(add('2001:db8:0:2::1').destroyed, false)
  ok(lines.length < 10, `${lines.length} lines`)
})

limits('a flood of connections is a few lines in the log', () => {
  const { add, lines } = newConnections({ connections: 1 })
  for (let count = 0; count < 1000; count += 1) add('10.0.0.1')
  ok(lines.length < 10, `${lines.length} lines`)
  not.match(lines.join(''), /undefined/)
})

limits.run()
