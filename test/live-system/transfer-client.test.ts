// How the agent in a live system gets the file of an image when connections are lost.
import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { TransferClient } from '../../host/linux-agent/program/images/transfer-client.ts'

const image = Buffer.alloc(200_000, 'an image ')
const ranges: string[] = []
let etag = '"1"'
let answer = 200

/** It closes the first connection in the middle. */
const server = createServer((request, response) => {
  const { range = '' } = request.headers
  ranges.push(range)
  const start = Number(/\d+/.exec(range)?.[0] ?? 0)
  const isChanged = range !== '' && request.headers['if-range'] !== etag
  if (answer !== 200) return void response.writeHead(answer).end('the disk is gone')
  response.writeHead(range === '' || isChanged ? 200 : 206, { ETag: etag, 'Content-Length': image.length - start })
  if (range !== '') return void response.end(image.subarray(start))
  response.write(image.subarray(0, 70_000), () => response.destroy())
}).listen(0, '127.0.0.1')
await once(server, 'listening')

const test = suite('transfer client')
test.after(() => {
  server.closeAllConnections()
  server.close()
})

const addressOf = (listening: Server) => ({
  host: '127.0.0.1',
  // `as`: it listens on a port.
  port: (listening.address() as AddressInfo).port,
})

function openClient(of = server): TransferClient {
  const { port } = addressOf(of)
  const { signal } = new AbortController()
  const context = { server: '127.0.0.1', localAddress: '', signal, onProgress() {}, onOutput() {} }
  return new TransferClient(context, { port, ticket: 'x', retryDelay: 1 })
}

async function download(): Promise<Buffer> {
  const client = openClient()
  const slices: Buffer[] = []
  for await (const slice of client.download()) slices.push(slice)
  return Buffer.concat(slices)
}

test('what a lost connection has left out comes over the next one', async () => {
  const bytes = await download()
  is(bytes.equals(image), true)
  equal(ranges.length, 2)
  match(ranges[1] ?? '', /^bytes=\d+-$/)
})

test('an image that was replaced meanwhile is a failure', async () => {
  ranges.length = 0
  const failed = download().then(
    () => '',
    error => error.message,
  )
  while (ranges.length === 0) await new Promise(resolve => setImmediate(resolve))
  etag = '"2"'
  is(await failed, 'the image was replaced meanwhile')
})

test('it connects for what it sends when there is something to send', async () => {
  let connections = 0
  const own = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{"size":8,"sha256":"x"}'))
  }).listen(0, '127.0.0.1')
  own.on('connection', () => {
    connections += 1
  })
  await once(own, 'listening')
  async function* body(): AsyncGenerator<Buffer> {
    // A connection that was begun before this one would be there first.
    const [response] = await once(get({ agent: false, ...addressOf(own) }), 'response')
    response.resume()
    is(connections, 1)
    yield Buffer.from('an image')
  }
  equal(await openClient(own).upload(body()), { size: 8, sha256: 'x' })
  is(connections, 2)
  own.closeAllConnections()
  own.close()
})

test('a refusal is a failure with its reason, without another attempt', async () => {
  ranges.length = 0
  answer = 500
  const failed = await download().then(
    () => '',
    error => error.message,
  )
  equal([failed, ranges.length], ['the disk is gone', 1])
})

test.run()
