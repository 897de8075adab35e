// Callers that do not read their responses: how long a connection may wait, and how many bytes wait in all.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { UnsentBytes, type UnsentBytesOptions } from '../../host/http/transport/unsent-bytes.ts'
import { createLog } from '../../host/log/log.ts'
import { limitLog } from '../../host/log/throttled-log.ts'
import { pollUntil } from '../harness/poll.ts'
import { bytesOf, connectCaller, statusesIn } from '../harness/raw-http.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const megabyte = 1024 * 1024
/** More than the system takes of a connection whose peer does not read. */
const large = Buffer.alloc(16 * megabyte)
const test = suite('unread responses')

/** Connections to a server that writes nothing by itself, and the lines of the log. */
async function openPairs(options: UnsentBytesOptions, count: number) {
  const lines: string[] = []
  const unsent = new UnsentBytes(limitLog(createLog(text => lines.push(text))), options)
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: the server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo
  const pairs: { caller: Socket; socket: Socket }[] = []
  for (let index = 0; index < count; index += 1) {
    const accepted = once(server, 'connection')
    const caller = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    const [socket]: Socket[] = await accepted
    ok(socket)
    // Read now, as the server does.
    is(socket.remoteAddress, '127.0.0.1')
    socket.on('error', () => {})
    unsent.watch(socket)
    pairs.push({ caller, socket })
  }
  const close = () => {
    for (const { caller, socket } of pairs) {
      caller.destroy()
      socket.destroy()
    }
    server.close()
  }
  return { unsent, lines, pairs, close }
}

test('a connection that takes nothing of a response is closed without the rest of it, others stay', async () => {
  const { lines, pairs, close } = await openPairs({ milliseconds: 50 }, 3)
  const [stalled, idle, reader] = pairs
  ok(stalled && idle && reader)
  stalled.socket.write(large)
  reader.caller.resume()
  reader.socket.write(large)
  await once(stalled.socket, 'close')
  equal([idle.socket.destroyed, reader.socket.destroyed], [false, false])
  is(lines.length, 1)
  match(lines[0] ?? '', /rest: 127\.0\.0\.1: closed, nothing of a response was taken for 0\.5 s/)
  const ended = once(stalled.caller, 'close').catch(() => {})
  stalled.caller.resume()
  await ended
  // Without a reset the system would still send the megabytes that it has accepted.
  ok(stalled.caller.bytesRead < 2 * megabyte, `${stalled.caller.bytesRead} bytes`)
  close()
})

test('a slow reader keeps its connection, also while the system accepts nothing more of the response', async () => {
  const { lines, pairs, close } = await openPairs({ milliseconds: 100 }, 1)
  const [pair] = pairs
  ok(pair)
  const { caller, socket } = pair
  // At most 64 KiB are read every 100 ms: the system accepts more of the response only after two seconds of that.
  caller.on('data', () => caller.pause())
  const timer = setInterval(() => caller.resume(), 100)
  socket.write(large)
  while (caller.bytesRead < 2 * megabyte && !socket.destroyed) await once(caller, 'pause')
  clearInterval(timer)
  equal([socket.destroyed, lines], [false, []])
  close()
})

test('a reader of events that takes nothing is left to the rule of events', async () => {
  const { unsent, pairs, close } = await openPairs({ milliseconds: 20 }, 2)
  const [events, other] = pairs
  ok(events && other)
  unsent.watch(events.socket, true)
  for (const { socket } of pairs) socket.write(large)
  await once(other.socket, 'close')
  is(events.socket.destroyed, false)
  close()
})

test('when too many bytes wait in all, the connections with the most are closed', async () => {
  const { unsent, lines, pairs, close } = await openPairs({ milliseconds: 3600_000, maxBytes: 40 * megabyte }, 4)
  const [small, ...others] = pairs
  ok(small)
  small.socket.write(Buffer.alloc(8 * megabyte))
  for (const { socket } of others) socket.write(large)
  unsent.count(large.length)
  equal(
    pairs.map(({ socket }) => socket.destroyed),
    [false, true, false, false],
  )
  match(lines.join(''), /rest: 127\.0\.0\.1: closed, too many bytes of responses wait for their callers/)
  close()
})

test.run()

const pipelined = suite('pipelined responses')

/** A caller that sends so many requests for the largest of a page's scripts, and reads nothing until it resumes. */
async function openUnread(lab: TestHost, requests: number) {
  const scripts = (await lab.call('GET /console')).text.match(/console\/[\w-]+\.js/g) ?? []
  const lengths = await Promise.all(scripts.map(async path => (await lab.call(`GET /${path}`)).text.length))
  const path = scripts[lengths.indexOf(Math.max(...lengths))]
  const caller = connectCaller(lab.host.ports.rest)
  caller.socket.pause()
  const head = bytesOf(`GET /${path}`, { headers: { Authorization: undefined, Connection: undefined } })
  caller.socket.write(head.repeat(requests - 1) + bytesOf(`GET /${path}`))
  return caller
}

pipelined('a request is served when the response before it has been taken', async () => {
  const lab = await startTestHost()
  const requests = 200
  const caller = await openUnread(lab, requests)
  const served = async () => {
    const { text } = await lab.call('GET /metrics')
    return Number(/^fleet_request_seconds_count\{route="GET \/console",status="200"\} (\d+)$/m.exec(text)?.[1])
  }
  const first = await served()
  while ((await served()) < first + 2) await lab.call('GET /healthz')
  // So many that a caller who reads has all its responses meanwhile.
  for (let others = 0; others < 200; others += 1) await lab.call('GET /healthz')
  const before = await served()
  ok(before < first + requests / 2, `${before} were served before the first was read`)
  caller.socket.resume()
  equal(statusesIn(await caller.closed), Array(requests).fill(200))
  await lab.stop()
})

pipelined('a caller that takes nothing of its responses is closed', async () => {
  const lab = await startTestHost()
  const caller = await openUnread(lab, 200)
  await pollUntil(() => lab.log.some(line => /closed, nothing of a response was taken for 10 s/.test(line)), 60_000)
  const ended = caller.closed.catch(() => {})
  caller.socket.resume()
  await ended
  await lab.stop()
})

pipelined.run()
