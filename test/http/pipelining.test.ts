// A connection that pipelines many requests: all get their responses, few are parsed at a time, and others are served.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { Connections } from '../../host/http/transport/connections.ts'
import { createLog } from '../../host/log/log.ts'
import { limitLog } from '../../host/log/throttled-log.ts'
import { bytesOf, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'
import { readTlsFiles, transport } from '../harness/transport.ts'

export const runs = { tls: true }

const lab = await startTestHost()
const open = () => connectCaller(lab.host.ports.rest)
const keep = { Connection: undefined }
const test = suite('pipelining')
test.after(() => lab.stop())

test('thousands of pipelined requests get their responses in order', async () => {
  const pair = `${bytesOf('GET /clients', { headers: keep })}${bytesOf('GET /nowhere', { headers: keep })}`
  const statuses = statusesIn(await lab.raw(pair.repeat(1500) + bytesOf('GET /scopes')))
  is(statuses.length, 3001)
  equal(new Set(statuses.filter((_, index) => index % 2 === 0)), new Set([200]))
  equal(new Set(statuses.filter((_, index) => index % 2 === 1)), new Set([404]))
})

test('pipelined requests with bodies of many lines are read unchanged', async () => {
  const pretty = (name: string) => JSON.stringify({ name, comment: '', list: Array(2000).fill(0) }, null, 1)
  const add = (name: string) => bytesOf('POST /center/add', { headers: keep, body: pretty(name) })
  const names = Array.from({ length: 20 }, (_, index) => `Center ${index}`)
  const text = await lab.raw(names.map(add).join('') + bytesOf('GET /scopes'))
  equal(statusesIn(text), Array(21).fill(200))
  equal(
    [...text.matchAll(/"name":"(.*?)"/g)].map(([, name]) => name),
    names,
  )
})

test('a caller that half-closes after thousands of requests receives responses until it is closed', async () => {
  const caller = open()
  caller.socket.end(bytesOf('GET /scopes', { headers: keep }).repeat(100))
  equal(new Set(statusesIn(await caller.closed)), new Set([200]))
})

test('others are served while one connection pipelines requests without a token', async () => {
  const requests = 20_000
  const caller = open()
  caller.socket.write(bytesOf('GET /clients', { headers: { Authorization: undefined, ...keep } }).repeat(requests))
  const first = await caller.until(endOfHead)
  equal(statusesIn(first)[0], 401)
  for (let count = 0; count < 10; count += 1) is((await lab.call('GET /scopes')).status, 200)
  const answered = statusesIn(await caller.until(endOfHead)).length
  ok(answered < requests / 2, `${answered} of ${requests} requests were answered before ten of another caller`)
  caller.socket.destroy()
  await caller.closed
})

test('a request that is not HTTP behind many requests is refused after their responses', async () => {
  const text = await lab.raw(`${bytesOf('GET /scopes', { headers: keep }).repeat(50)}nonsense\r\n\r\n`)
  equal(statusesIn(text), [...Array(50).fill(200), 405])
})

test.run()

const reading = suite('paced reading')
let server: PacedServer
// Also after a failure, which would keep the process.
reading.after.each(() => server.close())

interface PacedServer {
  port: number
  /** The responses of all requests that were parsed. */
  responses: ServerResponse[]
  close(): void
}

/** A server that answers nothing by itself. `isKnown`: it takes the token of each request for right. */
async function startServer(isKnown: boolean): Promise<PacedServer> {
  const responses: ServerResponse[] = []
  const connections = new Connections(loadOptions().options.limits, limitLog(createLog(() => {})), () => {})
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const reader = connections.readerOf(req.socket)
    reader?.count(res)
    if (isKnown) reader?.verify()
    responses.push(res)
  }
  const options = { requireHostHeader: false }
  const server = transport.isSecure
    ? createSecureServer({ ...options, ...readTlsFiles() }, serve)
    : createServer(options, serve)
  server.on(transport.isSecure ? 'secureConnection' : 'connection', (socket: Socket) => connections.read(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: the server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo
  return {
    port,
    responses,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

for (const [form, request] of Object.entries({
  'short requests': 'GET / HTTP/1.1\r\n\r\n',
  'requests with bodies': 'POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n{\n}\n',
})) {
  for (const [isKnown, most] of [[true, 9] as const, [false, 3] as const]) {
    const who = `${isKnown ? 'with' : 'without'} a token`
    reading(
      `at most ${most} requests of a connection ${who} are parsed before one has its response: ${form}`,
      async () => {
        const total = 1000
        server = await startServer(isKnown)
        const caller = connectCaller(server.port)
        caller.socket.write(request.repeat(total))
        let ended = 0
        for (let ticks = 0; ended < total && ticks < 20_000; ticks += 1) {
          await nextTick()
          ok(server.responses.length - ended <= most, `${server.responses.length - ended} requests were parsed`)
          if (ticks < 20 || server.responses.length === ended) continue
          server.responses[ended]?.end()
          ended += 1
        }
        is(ended, total)
        server.close()
        await caller.closed
      },
    )
  }
}

reading('what many connections without a token send at once is not parsed in one tick', async () => {
  const count = 200
  server = await startServer(false)
  const callers = Array.from({ length: count }, () => connectCaller(server.port))
  const request = 'GET / HTTP/1.1\r\n\r\n'
  // Connections are accepted one after the other.
  for (const { socket } of callers) socket.write(request)
  while (server.responses.length < count) await nextTick()
  for (const response of server.responses) response.end()
  await nextTick()
  for (const { socket } of callers) socket.write(request.repeat(1000))
  for (let parsed = count; parsed < 3 * count; ) {
    await nextTick()
    const more = server.responses.length - parsed
    ok(more <= count / 2, `${more} requests were parsed in one tick`)
    parsed += more
  }
  is(server.responses.length, 3 * count)
  server.close()
  await Promise.all(callers.map(({ closed }) => closed))
})

reading.run()
