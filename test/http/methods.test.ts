// All methods other than GET and POST, and methods that the route does not have, are 405.
import { suite } from 'uvu'
import { equal, match, not, ok } from 'uvu/assert'
import { bytesOf, statusesIn } from '../harness/raw-http.ts'
import { startTestHost, token } from '../harness/test-host.ts'

const lab = await startTestHost()
const methods = suite('methods')
methods.after(() => lab.stop())

const others = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'GETS', 'NONSENSE']
for (const method of others) {
  methods(`${method} is 405 without Allow, on every path, with and without a token`, async () => {
    for (const path of ['/clients', '/nowhere', '*']) {
      for (const Authorization of [token, undefined]) {
        const text = await lab.raw(bytesOf(`${method} ${path}`, { headers: { Authorization } }))
        equal(statusesIn(text), [405])
        match(text, /\r\nContent-Length: 0\r\n/)
        not.match(text, /\r\nAllow:/i)
        ok(text.endsWith('\r\n\r\n'), 'a body')
      }
    }
  })
}

methods('CONNECT is 405', async () => {
  const text = await lab.raw(`CONNECT example.org:80 HTTP/1.1\r\nHost: example.org\r\nAuthorization: ${token}\r\n\r\n`)
  equal(statusesIn(text), [405])
  match(text, /\r\nContent-Length: 0\r\n/)
})

methods('the connection preface of HTTP/2 is 405', async () => {
  equal(statusesIn(await lab.raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')), [405])
})

methods('a route that has one of GET and POST is 405 without Allow for the other', async () => {
  for (const route of [
    'POST /scopes',
    'POST /images',
    'GET /wol',
    'GET /poweroff',
    'GET /shell/run',
    'POST /client/info',
  ]) {
    const { status, headers, text } = await lab.call(route, { clients: ['127.0.0.2'] })
    equal([route, status, text, headers['content-length'], headers.allow], [route, 405, '', '0', undefined])
  }
})

methods.run()
