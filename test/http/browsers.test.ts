// Browsers: a page of another origin must not use what the browser knows, and Basic is for the page of the API only.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { bytesOf, statusesIn } from '../harness/raw-http.ts'
import { startTestHost, token } from '../harness/test-host.ts'

const lab = await startTestHost()
const test = suite('browsers')
test.after(() => lab.stop())

const Authorization = `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`
const body = '{"name": "Center"}'
let count = 0

/** The response to a request that adds a center. */
function add(headers: Record<string, string | undefined>): Promise<string> {
  count += 1
  return lab.raw(bytesOf('POST /center/add', { headers, body: JSON.stringify({ name: `Center ${count}` }) }))
}

const foreign: Record<string, Record<string, string>> = {
  'Sec-Fetch-Site: cross-site': { 'Sec-Fetch-Site': 'cross-site' },
  'Sec-Fetch-Site: same-site': { 'Sec-Fetch-Site': 'same-site' },
  'Sec-Fetch-Site: cross-site with the own Origin': { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://x' },
  'another Origin': { Origin: 'http://evil.example' },
  'the Origin of another port': { Origin: 'http://x:8080' },
  'Origin: null': { Origin: 'null' },
  'an Origin that is no URL': { Origin: '//x' },
}
for (const [name, headers] of Object.entries(foreign)) {
  test(`a POST of a page of another origin is 403, with and without a token: ${name}`, async () => {
    for (const credentials of [{}, { Authorization }, { Authorization: 'another' }, { Authorization: undefined }]) {
      const text = await add({ ...headers, ...credentials, 'Content-Type': 'text/plain' })
      equal(statusesIn(text), [403])
      match(text, /\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/)
      not.match(text, /WWW-Authenticate/i)
    }
  })
}

const own: Record<string, Record<string, string>> = {
  'Sec-Fetch-Site: same-origin': { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://x' },
  'Sec-Fetch-Site: none': { 'Sec-Fetch-Site': 'none' },
  'Sec-Fetch-Site: same-origin behind a proxy with another host': {
    'Sec-Fetch-Site': 'same-origin',
    Origin: 'https://fleet.example',
  },
  'the own Origin': { Origin: 'http://x' },
  'the own Origin with a port': { Origin: 'http://x:8888', Host: 'X:8888' },
  'the own Origin with the default port': { Origin: 'https://x', Host: 'x:443' },
}
for (const [name, headers] of Object.entries(own)) {
  test(`a POST of a page of this service is served with the token in a header: ${name}`, async () => {
    equal(statusesIn(await add({ ...headers, Authorization: token })), [200])
    equal(statusesIn(await add({ ...headers, Authorization: `Bearer ${token}` })), [200])
  })
}

test('a 405 is reported before the 403, and a 413 too', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site' }
  equal(statusesIn(await lab.raw(bytesOf('PUT /clients', { headers }))), [405])
  equal(statusesIn(await lab.raw(bytesOf('POST /x', { headers: { ...headers, 'Content-Length': '200000' } }))), [413])
})

test('a GET of a page of another origin is served with a token', async () => {
  for (const headers of Object.values(foreign)) is((await lab.call('GET /clients', undefined, headers)).status, 200)
})

const browsers: Record<string, Record<string, string>> = {
  'Sec-Fetch-Site': { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' },
  'Sec-Fetch-Dest': { 'Sec-Fetch-Dest': 'document' },
  Origin: { Origin: 'http://x', Host: 'x' },
  'Accept: text/html': { Accept: 'text/html,application/xhtml+xml' },
  // An image of a page without TLS has none of the above.
  'User-Agent: Mozilla': {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/150.0',
    Accept: 'image/*',
  },
}
for (const [name, headers] of Object.entries(browsers)) {
  test(`a browser is offered Basic for GET /docs only, recognised by ${name}`, async () => {
    const call = (route: string) => lab.call(route, undefined, { ...headers, Authorization: 'another' })
    const docs = await call('GET /docs')
    equal([docs.status, docs.headers['www-authenticate']], [401, 'Basic'])
    for (const route of ['GET /clients', 'POST /docs', 'GET /docs/', 'GET /nowhere', 'POST /clients']) {
      const { status, text, headers: received } = await call(route)
      equal([route, status, text, received['www-authenticate']], [route, 401, '', undefined])
    }
  })

  test(`the Basic of a browser is taken for GET /docs only, recognised by ${name}`, async () => {
    const call = (route: string) => lab.call(route, body, { ...headers, Authorization })
    is((await call('GET /docs')).status, 200)
    for (const route of ['GET /clients', 'POST /center/add', 'GET /docs/']) is((await call(route)).status, 401)
  })
}

test('PowerShell is no browser', async () => {
  const headers = { Authorization, 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; en-US) PowerShell/7.5.0' }
  is((await lab.call('GET /clients', undefined, headers)).status, 200)
})

test('the fetch of Node is no browser', async () => {
  const response = await fetch(`http://127.0.0.1:${lab.host.ports.rest}/clients`, { headers: { Authorization } })
  is(response.status, 200)
  await response.text()
})

test('GET / leads a browser to the console; other callers get 404', async () => {
  const get = async (headers: Record<string, string>, route = 'GET /') => {
    const { status, headers: received, text } = await lab.call(route, undefined, headers)
    return [status, received.location, text]
  }
  const Accept = 'text/html,application/xhtml+xml'
  equal(await get({ Accept, Authorization: '' }), [302, 'console', ''])
  equal(await get({ Accept }), [302, 'console', ''])
  equal(await get({ Accept: '*/*' }), [404, undefined, ''])
  equal(await get({ Authorization: '' }), [401, undefined, ''])
  equal(await get({ Accept, Authorization: '' }, 'POST /'), [401, undefined, ''])
  equal(await get({ Accept }, 'GET /nowhere'), [404, undefined, ''])
})

test.run()
