// Agents of OpenGnsys computers: what they report, what they are asked, and what that means for reservations.
import { once } from 'node:events'
import { createServer } from 'node:https'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { base, pathOf, type RemoteLab, withRemoteLab } from '../harness/remote-labs.ts'
import { readTlsFiles } from '../harness/transport.ts'

const test = suite('agents of remote labs')

const secret = '0123456789abcdefghijklmnopqrstuv'

/** An agent that keeps what it is asked, and how it reports as its computer. */
async function startAgent(lab: RemoteLab, ip: string) {
  const asked: string[] = []
  const server = createServer(readTlsFiles(), async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    asked.push(`${method} ${url} ${headers.authorization ?? ''} ${body}`.trimEnd())
    const isStatus = url === '/opengnsys/status'
    response.end(JSON.stringify(isStatus ? { status: 'WIN', loggedin: true, session: 'console' } : ''))
  })
  server.listen(8000, ip)
  await once(server, 'listening')
  return {
    asked,
    // The proxy of a lab's daemon says for whom it sends.
    report: (name: string, body: object) =>
      lab.call(`POST ${base}/ogagent/${name}`, { ip, ...body }, { 'X-Forwarded-For': ip }),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a person is reported to the broker, warned, and gives way to one who sits there', () =>
  withRemoteLab({ clients: 1, options: { rest: { port: 0, proxies: ['127.0.0.1'] } } }, async lab => {
    const [client] = lab.clients
    const ip = client?.addr ?? ''
    const agent = await startAgent(lab, ip)
    try {
      const uds = await lab.broker('uds')
      const { json } = await uds.reserve()
      const path = pathOf(json)
      const { url } = lab.receiver
      await uds.send(`POST ${path}/events`, {
        urlLogin: `${url}/in`,
        urlLogout: `${url}/out`,
        urlRelease: `${url}/release`,
      })
      const common = { mac: json.mac, ostype: 'Windows', osversion: '11' }
      is((await agent.report('started', { ...common, mac: '020000000000', secret })).status, 400)
      is((await agent.report('started', { ...common, secret })).text, '""')
      await client?.disconnect()
      equal((await uds.send(`GET ${path}/status`)).json, { id: 1, ip, status: 'windows', loggedin: true })
      const called = () => lab.receiver.received.map(each => each.path)
      is((await agent.report('loggedin', { user: 'anna', language: 'es_ES', session: 'rdp-tcp#3' })).text, '""')
      await pollUntil(() => called().length === 1)
      await uds.send(`POST ${path}/session`, { deadLine: 420 })
      await lab.advance('3 minutes')
      const popup = agent.asked.find(text => text.startsWith('POST /opengnsys/popup'))
      is(popup?.includes(secret) && popup.includes('5 minutos'), true, popup)
      is((await agent.report('loggedout', { user: 'anna' })).text, '""')
      equal(called(), ['/hook/in', '/hook/out'])
      is((await agent.report('loggedin', { user: 'ben', language: 'en_GB', session: 'console' })).status, 200)
      await pollUntil(async () => (await lab.reservation(ip))?.state === 'ended')
      equal(called(), ['/hook/in', '/hook/out', '/hook/in', '/hook/release'])
      is(
        agent.asked.some(text => text.includes('poweroff')),
        false,
      )
      await client?.connect()
      is((await uds.reserve()).status, 200)
      await client?.disconnect()
      await uds.send(`DELETE ${path}/unreserve`)
      is(agent.asked.at(-1), `GET /opengnsys/poweroff ${secret}`)
      is((await agent.report('stopped', common)).text, '""')
    } finally {
      await agent.stop()
    }
  }))

test.run()
