// Authentication: which forms of the token are accepted, and the response to a request without it.
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { bytesOf, statusesIn } from '../harness/raw-http.ts'
import { startTestHost, token } from '../harness/test-host.ts'

const lab = await startTestHost()
const tokens = suite('token')
tokens.after(() => lab.stop())

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`

for (const [form, value] of Object.entries({
  'the value without a scheme': token,
  'Bearer <token>': `Bearer ${token}`,
  'bearer <token>, in any case': `bEARER ${token}`,
  'Basic with the token as password': basic(`admin:${token}`),
  'Basic with the token as password and no user': basic(`:${token}`),
})) {
  tokens(`the token is accepted as ${form}`, async () => {
    is((await lab.call('GET /clients', undefined, { Authorization: value })).status, 200)
  })
}

for (const [form, value] of Object.entries({
  'no header': undefined,
  'an empty header': '',
  'a part of the token': token.slice(0, -1),
  'the token with a further letter': `${token}x`,
  'the token in capitals': token.toUpperCase(),
  'another token as Bearer': 'Bearer another',
  'the token as the user of Basic': basic(`${token}:`),
  'Basic without a colon': basic(token),
  'Basic that is not base64': `Basic ${token}`,
  'another scheme': `Digest ${token}`,
})) {
  tokens(`${form} is 401 with WWW-Authenticate: Basic and Content-Length: 0`, async () => {
    const text = await lab.raw(bytesOf('GET /clients', { headers: { Authorization: value } }))
    equal(statusesIn(text), [401])
    match(text, /\r\nWWW-Authenticate: Basic\r\n/)
    match(text, /\r\nContent-Length: 0\r\n/)
    ok(text.endsWith('\r\n\r\n'), 'a body')
  })
}

tokens('a token in the query is 401 on a route that does not accept it there', async () => {
  is((await lab.call(`GET /clients?token=${token}`, undefined, { Authorization: '' })).status, 401)
})

tokens('the token is never logged', async () => {
  await lab.call(`GET /nowhere?token=${token}`)
  await lab.call(`GET http://${token}@example.org/nowhere`)
  await lab.call('POST /clients', 'no JSON', { Authorization: `Bearer ${token}` })
  ok(lab.log.length > 0)
  not.match(lab.log.join(''), token)
})

tokens.run()
