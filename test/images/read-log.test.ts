// Reading a client's log by HTTP: whatever a server on the client's address sends or does not send costs little.
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { readLog } from '../../host/images/read-log.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'

const closers: (() => void)[] = []
const path = '/cgi-bin/LogCommand.sh'
const never = new AbortController().signal

/** A server that gets raw connections. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.resume()
    closers.push(() => socket.destroy())
    onConnection(socket)
  })
  return listen(server)
}

const httpServer = (listener: RequestListener) => listen(createHttpServer(listener))

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  // A server on a port has an address.
  return (server.address() as AddressInfo).port
}

const read = (port: number, signal = never) => readLog({ host: '127.0.0.1', port, path }, signal)

async function problemOf(port: number, signal?: AbortSignal): Promise<string> {
  const result = await read(port, signal)
  return 'problem' in result ? result.problem : `none: ${result.bytes.subarray(0, 40)}`
}

const test = suite('reading a log')
test.after(() => {
  for (const close of closers) close()
})

test('the text of a complete response is the log', async () => {
  const port = await httpServer((request, response) => response.end(`${request.method} ${request.url}`))
  equal(await read(port), { bytes: Buffer.from(`GET ${path}`) })
})

test('a response without a length ends with the connection', async () => {
  const port = await rawServer(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nCloned successfully.\n'))
  equal(await read(port), { bytes: Buffer.from('Cloned successfully.\n') })
})

test('any status but 200 is no log, and a redirect is not followed', async () => {
  let requests = 0
  const port = await httpServer((_, response) => {
    requests += 1
    response.writeHead(302, { Location: '/other' }).end('Cloned successfully.')
  })
  is(await problemOf(port), 'status 302')
  is(requests, 1)
  for (const status of [204, 404, 500, 999]) {
    const own = await httpServer((_, response) => response.writeHead(status).end())
    is(await problemOf(own), `status ${status}`)
  }
})

test('a connection that is refused, closed or reset is no log', async () => {
  const gone = createServer()
  const port = await listen(gone)
  gone.close()
  match(await problemOf(port), /ECONNREFUSED/)
  match(await problemOf(await rawServer(socket => socket.end())), /hang up|closed/)
  match(await problemOf(await rawServer(socket => socket.resetAndDestroy())), /ECONNRESET|hang up/)
  const cut = await rawServer(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'))
  match(await problemOf(cut), /aborted|closed/)
})

test('bytes that are no HTTP, a switch of protocols and a huge header are no log', async () => {
  match(await problemOf(await rawServer(socket => socket.end(Buffer.alloc(500, 0xfe)))), /Parse Error/)
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  match(await problemOf(await rawServer(socket => socket.write(upgrade))), /hang up|closed/)
  const header = await rawServer(socket => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`))
  match(await problemOf(header), /overflow/i)
})

for (const [what, bytes] of [
  ['nothing', ''],
  ['half a header', 'HTTP/1.1 200 OK\r\nX'],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
] as const) {
  test(`a server that sends ${what} and then hangs is given up after 2 s, and its connection closed`, async () => {
    let closed: Promise<unknown> | undefined
    const port = await rawServer(socket => {
      closed = once(socket, 'close')
      socket.write(bytes)
    })
    const time = startQuietTimer()
    is(await problemOf(port), 'no complete response in 2 s')
    ok(time() < 10_000)
    await closed
  })
}

test('a long log is read from its beginning', async () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join('')
  const port = await httpServer((_, response) => response.end(lines))
  equal(await read(port), { bytes: Buffer.from(lines) })
})

test('a server that sends 100 MB is cut off after 2 MiB', async () => {
  let sent = 0
  const chunk = Buffer.alloc(65_536, 'x')
  const port = await httpServer((_, response) => {
    const send = () => {
      while (sent < 100_000_000 && !response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return response.once('drain', send)
      }
      return response.end()
    }
    send()
  })
  is(await problemOf(port), 'expected at most 2097152 bytes, got more')
  ok(sent < 20_000_000)
})

test('an aborted read ends at once', async () => {
  const controller = new AbortController()
  const port = await rawServer(() => controller.abort())
  is(await problemOf(port, controller.signal), 'the command has ended')
  is(await problemOf(port, AbortSignal.abort()), 'the command has ended')
})

test.run()
