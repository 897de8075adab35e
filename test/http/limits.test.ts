// The limits of a request, of the response to a read, and of a forwarded body.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { bytesOf, chunked, connectCaller, endOfHead, statusesIn } from '../harness/raw-http.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { tls: true }

const limit = 131_072
const headLimit = 16_384
const bodyLimit = 2000
const lab = await startTestHost()
const small = await startTestHost({ options: { limits: { response: bodyLimit } } })

const requests = suite('request limit')

/** A request that adds a center, with a comment that fills it to `size` bytes. Chunk framing does not count. */
function addCenter(size: number, name: string, headers: Record<string, string> = {}): string {
  const bodyOf = (comment: string) => JSON.stringify({ name, comment })
  // All sizes near the limit have a Content-Length with the same number of digits.
  const full = bytesOf('POST /center/add', { headers, body: bodyOf('x'.repeat(100_000)) })
  const body = bodyOf('x'.repeat(100_000 + size - full.length))
  return bytesOf('POST /center/add', { headers, body: headers['Transfer-Encoding'] ? chunked(body) : body })
}

const chunks = { 'Transfer-Encoding': 'chunked' }

for (const [form, headers] of Object.entries({ 'with a length': {}, chunked: chunks })) {
  requests(`a request line, headers and body of 131072 bytes together are served, ${form}`, async () => {
    equal(statusesIn(await lab.raw(addCenter(limit, form, headers))), [200])
  })

  requests(`a request of one byte more is 413 without a body, ${form}`, async () => {
    const text = await lab.raw(addCenter(limit + 1, `${form}, too long`, headers), endOfHead)
    equal(statusesIn(text), [413])
    match(text, /\r\nContent-Length: 0\r\n/)
    match(text, /\r\nConnection: close\r\n/)
    match(lab.log.at(-1) ?? '', /POST \/center\/add from 127\.0\.0\.1: 413, longer than 131072 bytes/)
  })
}

requests('a body below the limit is 413 when the headers exceed it together with the body', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(limit - 10_000) })
  equal(
    statusesIn(await lab.raw(bytesOf('POST /center/add', { headers: { X: 'x'.repeat(10_000) }, body }), endOfHead)),
    [413],
  )
})

/** The heads of exactly so many bytes: of a long path, and of a long header. */
function headsOf(route: string, size: number, headers: Record<string, string | undefined> = {}): string[] {
  const fill = (make: (text: string) => string) => make('x'.repeat(size - make('').length))
  return [
    fill(text => bytesOf(`${route}/${text}`, { headers })),
    fill(text => bytesOf(route, { headers: { ...headers, Long: text } })),
  ]
}

requests('a request line and headers of 16384 bytes together are served', async () => {
  for (const head of headsOf('GET /clients', headLimit)) equal(statusesIn(await lab.raw(head)), [200])
})

requests('a request line and headers of one byte more are 413, with one line in the log', async () => {
  for (const size of [headLimit + 1, 3 * headLimit, 5 * limit]) {
    for (const head of headsOf('GET /clients', size)) {
      const text = await lab.raw(head, endOfHead)
      equal([size, ...statusesIn(text)], [size, 413])
      match(text, /\r\nConnection: close\r\n/)
    }
  }
  match(lab.log.join(''), /GET \/clients\/x+ from 127\.0\.0\.1: 413, request line and headers longer than 16384 bytes/)
})

requests('without a token a command that needs none gets 8192 bytes of request line and headers', async () => {
  const headers = { Authorization: undefined }
  for (const route of ['GET /console', 'GET /agent/fleet-agent.js', 'GET /agent/install.sh']) {
    const [, most = ''] = headsOf(route, 8192, headers)
    const [, more = ''] = headsOf(route, 8193, headers)
    equal([route, ...statusesIn(await lab.raw(most))], [route, 200])
    equal([route, ...statusesIn(await lab.raw(more))], [route, 413])
  }
  match(lab.log.join(''), /413, request line and headers longer than 8192 bytes/)
  const [, withToken = ''] = headsOf('GET /console', 8193)
  equal(statusesIn(await lab.raw(withToken)), [200])
})

requests('a Content-Length over the limit is 413 before the body arrives, and the connection closes', async () => {
  const expectRefusal = async (length: string) => {
    const text = await lab.raw(bytesOf('POST /clients', { headers: { 'Content-Length': length } }))
    equal([length, ...statusesIn(text)], [length, 413])
  }
  await Promise.all(['131072', '200000', '9'.repeat(15), '9'.repeat(40)].map(expectRefusal))
})

requests('a chunked body is 413 as soon as it is longer than the limit', async () => {
  const caller = connectCaller(lab.host.ports.rest)
  const head = bytesOf('POST /clients', { headers: chunks })
  caller.socket.write(`${head}${chunked('x'.repeat(limit)).slice(0, -5)}`)
  equal(statusesIn(await caller.until(endOfHead)), [413])
  equal(statusesIn(await caller.closed), [413])
})

requests('a caller that continues to send receives exactly one response, the 413', async () => {
  for (const headers of [{}, chunks]) {
    const body = 'x'.repeat(10 * limit)
    const text = await lab.raw(bytesOf('POST /clients', { headers, body: headers === chunks ? chunked(body) : body }))
    equal(statusesIn(text), [413])
  }
})

requests('a request that follows a request over the limit on its connection is not executed', async () => {
  const next = bytesOf('POST /center/add', { body: '{"name": "follower"}' })
  for (const headers of [{}, chunks]) {
    const body = headers === chunks ? chunked('x'.repeat(limit)) : 'x'.repeat(limit)
    const long = bytesOf('POST /clients', { headers: { Connection: undefined, ...headers }, body })
    equal(statusesIn(await lab.raw(long + next)), [413])
  }
})

requests('a request over the limit is not executed', async () => {
  const { json } = await lab.call('GET /scopes')
  equal(
    json.scope.map(({ name }: { name: string }) => name),
    ['with a length', 'chunked'],
  )
})

requests.run()

const responses = suite('response limit')
responses.after(() => small.stop())

const emptyScopesBytes = JSON.stringify({ scope: [{ name: '', type: 'center', id: 1, scope: [] }] }).length
let id = 0

/** The response to `GET /scopes` with a body of `size` bytes. */
async function readScopes(size: number): Promise<string> {
  id += 1
  is((await small.call('POST /center/add', { name: 'x'.repeat(size - emptyScopesBytes) })).status, 200)
  const text = await small.raw(bytesOf('GET /scopes', { headers: { Connection: undefined } }), /(\}|\r\n\r\n)$/)
  is((await small.call('POST /center/delete', { id: String(id) })).status, 200)
  return text
}

let head = 0

responses('a body below the limit is sent', async () => {
  const text = await readScopes(bodyLimit - 1000)
  equal(statusesIn(text), [200])
  head = text.length - (bodyLimit - 1000)
})

responses('a head and body of exactly the limit together are sent', async () => {
  const text = await readScopes(bodyLimit - head)
  equal(statusesIn(text), [200])
  is(text.length, bodyLimit)
})

for (const [what, sizeOf, status] of [
  ['a head and body of one byte more together are 500', () => bodyLimit - head + 1, 500],
  ['a body of exactly the limit is 500', () => bodyLimit, 500],
  ['a body of one byte more is 400', () => bodyLimit + 1, 400],
] as const) {
  responses(what, async () => {
    const text = await readScopes(sizeOf())
    equal(statusesIn(text), [status])
    match(text, /\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/)
    const line = small.log.findLast(each => each.includes('GET /scopes')) ?? ''
    match(
      line,
      new RegExp(`GET /scopes from 127\\.0\\.0\\.1: ${status}, .* expected at most 2000 bytes.*, got 2\\d{3}`),
    )
  })
}

responses.run()

const forwarded = suite('forwarded limit')
forwarded.after(() => lab.stop())

/** A script that fills `{ run, echo }` to `size` bytes. */
const scriptOf = (size: number) => 'x'.repeat(size - JSON.stringify({ run: '', echo: true }).length)

forwarded('a forwarded body over the request limit minus 700 bytes is 400, and nothing is sent', async () => {
  const agent = await lab.agent('127.0.0.2')
  const run = (size: number) => lab.call('POST /shell/run', { clients: ['127.0.0.2'], run: scriptOf(size), echo: true })
  is((await run(limit - 699)).status, 400)
  match(lab.log.at(-1) ?? '', /400, payload: expected at most 130372 bytes for an agent, got 130373/)
  is((await run(limit - 700)).status, 200)
  equal((await agent.next('/shell/run')).body, { run: scriptOf(limit - 700), echo: true })
  agent.answer(200)
  await agent.close()
  is(agent.requests.length, 2)
})

forwarded('the forwarded body is measured after escaping', async () => {
  const agent = await lab.agent('127.0.0.3')
  const run = (letters: number) =>
    lab.call('POST /shell/run', { clients: ['127.0.0.3'], run: 'é'.repeat(letters), echo: true })
  const maxLetters = Math.floor(scriptOf(limit - 700).length / 6)
  is((await run(maxLetters + 1)).status, 400)
  is((await run(maxLetters)).status, 200)
  is((await agent.next('/shell/run')).raw.length > limit - 710, true)
})

forwarded('a script over the limit does not clear the stored output', async () => {
  const agent = await lab.agent('127.0.0.4', { auto: { '/shell/run': { status: 200, body: { out: 'done' } } } })
  const ended = lab.event('command-ended', { addr: '127.0.0.4', command: 'shell-run' })
  const clients = ['127.0.0.4']
  await lab.call('POST /shell/run', { clients, run: 'true', echo: true })
  await ended
  is((await lab.call('POST /shell/run', { clients, run: scriptOf(limit - 699), echo: true })).status, 400)
  equal((await lab.call('POST /shell/output', { clients })).json, { clients: [{ addr: '127.0.0.4', output: 'done' }] })
  await agent.close()
})

forwarded.run()
