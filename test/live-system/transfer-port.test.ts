// Who reaches the port for images.
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { sayHello } from '../harness/hello.ts'

const lab = await startCopyLab()
const test = suite('port for images')
test.after(() => lab.stop())

/** Of the port for images, from an address: its status, or how the connection ended. */
const ask = (addr: string, route: string, ticket: string): Promise<number | string> =>
  new Promise(resolve => {
    const [method, path] = route.split(' ')
    const options = {
      agent: false,
      port: lab.port,
      localAddress: addr,
      method,
      path,
      headers: { Authorization: ticket },
    }
    const outgoing = request({ host: '127.0.0.1', ...options }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    outgoing.on('error', error => resolve('code' in error ? String(error.code) : error.message))
    outgoing.end()
  })

test('only the computer of a copy that runs, with its ticket, gets or sends a file', async () => {
  await lab.addComputer('127.0.44.9')
  writeFileSync(lab.image('debian.img'), 'an image')
  const agent = await lab.agent('127.0.44.9', { auto: false })
  sayHello(agent, { keys: ['transfer'] })
  const ready = lab.event('client-ready', { addr: '127.0.44.9' })
  await agent.next('/refresh')
  agent.reply({ status: 200 })
  await ready
  const ended = lab.event('command-ended', { addr: '127.0.44.9' })
  const place = { disk: '1', partition: '1', name: 'debian', repository: serverAddress, id: '0' }
  const payload = { clients: ['127.0.44.9'], ...place, type: 'UNICAST', profile: '0' }
  is((await lab.call('POST /image/restore', payload)).status, 200)
  const { body } = await agent.next('/image/restore')
  // `as`: what the daemon adds for agents that know the key.
  const { ticket } = (body as { transfer: { ticket: string } }).transfer
  const rows: [addr: string, route: string, ticket: string, expected: number | string][] = [
    ['127.0.44.2', 'GET /image', ticket, 'ECONNRESET'],
    ['127.0.44.9', 'GET /image', 'another', 403],
    ['127.0.44.9', 'GET /other', ticket, 404],
    ['127.0.44.9', 'PUT /image', ticket, 500],
    ['127.0.44.9', 'GET /image', ticket, 200],
  ]
  for (const [addr, route, sent, expected] of rows) is(await ask(addr, route, sent), expected, `${addr} ${route}`)
  agent.reply({ status: 500 })
  await ended
  is(await ask('127.0.44.9', 'GET /image', ticket), 'ECONNRESET')
})

test.run()
