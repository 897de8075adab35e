// The decoder of the agent for Linux: whole requests, pieces of them, and bytes that are no request.
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { createRequestDecoder, type DaemonRequest } from '../../host/agent-program/messages.ts'
import { encodeRequest, toWireJson } from '../../host/agents/connection/codec.ts'

const body = { run: 'echo "ñ €\n"', echo: true }
const requests = [
  { route: 'GET /refresh', body: undefined },
  { route: 'POST /shell/run', body },
  { route: 'POST /stop', body: undefined },
]
const bytes = Buffer.concat(requests.map(({ route, body }) => encodeRequest(route, body ? toWireJson(body) : '')))

function decode(chunks: Iterable<Buffer>): DaemonRequest[] {
  const decoded: DaemonRequest[] = []
  const feed = createRequestDecoder(request => decoded.push(request))
  for (const chunk of chunks) feed(chunk)
  return decoded
}

const test = suite('requests of the daemon')

test('requests in one chunk, byte by byte and in all pairs of chunks are the same', () => {
  equal(decode([bytes]), requests)
  equal(decode(Array.from(bytes, byte => Buffer.of(byte))), requests)
  for (let at = 1; at < bytes.length; at += 1) equal(decode([bytes.subarray(0, at), bytes.subarray(at)]), requests)
})

test('a request may have no headers, or others than those of this daemon', () => {
  const text = 'GET /refresh HTTP/1.1\r\n\r\nPOST /probe HTTP/1.0\r\nHost: a\r\nCONTENT-LENGTH:2 \r\n\r\n{}'
  equal(decode([Buffer.from(text)]), [
    { route: 'GET /refresh', body: undefined },
    { route: 'POST /probe', body: {} },
  ])
})

test('a request that is incomplete is not passed on', () => {
  is(decode([bytes.subarray(0, -1)]).length, 2)
})

for (const [what, text, problem] of [
  ['no HTTP', 'hello\r\n\r\n', /^request: expected HTTP, got "hello"$/],
  ['a body that is no JSON', 'POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\n{a}', /JSON/],
  ['a length that is no number', 'POST /a HTTP/1.1\r\ncontent-length: -1\r\n\r\n', /^Content-Length: .*got -1$/],
  ['a length of gigabytes', 'POST /a HTTP/1.1\r\nContent-Length: 5000000000\r\n\r\n', /^Content-Length: /],
  ['a header that never ends', `POST /a HTTP/1.1\r\nA: ${'a'.repeat(9000)}`, /expected a header of at most 8192/],
] as const) {
  test(`${what} is an error`, () => {
    throws(
      () => decode([Buffer.from(text)]),
      (error: Error) => problem.test(error.message),
    )
  })
}

test.run()
