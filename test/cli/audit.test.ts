// `fleet audit`: what it prints, its filters, and how it follows.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, fleetWith, remove } = openShellOf(lab)
await lab.addComputer('127.0.47.1')
const { json: operator } = await lab.call('POST /token/add', { name: 'lab', role: 'operate' })
await lab.call('POST /poweroff', { clients: ['127.0.47.1', '127.0.47.2'] }, { Authorization: operator.token })
await lab.call('POST /center/add', { name: 'Other' }, { Authorization: operator.token })

const test = suite('fleet audit')
test.after(async () => {
  remove()
  await lab.stop()
})

test('it prints one line per record, the oldest first', async () => {
  const { code, out } = await fleet('audit', '--who', 'lab')
  is(code, 0)
  const lines = out.split('\n').map(line => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/, '').split(/ {2,}/))
  equal(lines, [
    ['token lab', '127.0.0.1', 'POST /poweroff', '200', '2 clients: 127.0.47.1, 127.0.47.2', 'job 1'],
    ['token lab', '127.0.0.1', 'POST /center/add', '403', 'name Other', 'expected the role admin, got operate'],
    [''],
  ])
})

test('--json prints one object per line; --route and --since filter', async () => {
  const { out } = await fleet('audit', '--route', '/poweroff', '--since', '1h', '--json')
  const { who, status, job } = JSON.parse(out)
  equal([who, status, job], ['token lab', 200, 1])
  equal((await fleet('audit', '--since', '2100-01-01 10:00')).out.trim(), 'no records')
})

test('a wrong time is a usage error, a token without the right gets the reason', async () => {
  const { code, error } = await fleet('audit', '--since', 'yesterday')
  equal([code, error.split(':')[1]], [2, ' --since'])
  const refused = await fleetWith({ FLEET_API_TOKEN: operator.token }, 'audit')
  is(refused.code, 1)
  match(refused.error, 'fleet: expected the role admin, got operate')
})

test('--follow asks for what came after the last record, also over a restart of the daemon', async () => {
  const record = { time: '2026-09-14T08:00:00.000Z', who: 'admin', address: '', route: 'x', status: 200, clients: [] }
  const pages = [
    { audit: [{ ...record, count: 0, job: 1 }], next: '2026-09.1' },
    { audit: [], next: '2026-09.1' },
    undefined,
    { audit: [{ ...record, count: 0, job: 2 }], next: '2026-09.2' },
  ]
  const asked: (string | null)[] = []
  const server = createServer(({ url = '', socket }, response) => {
    asked.push(new URL(url, 'http://host').searchParams.get('after'))
    if (asked.length > pages.length) return void response.writeHead(400, { 'X-Reason': 'enough' }).end()
    const page = pages[asked.length - 1]
    if (!page) return void socket.destroy()
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a server that listens on a port.
  const { port } = server.address() as AddressInfo
  const { code, out, error } = await fleetWith({ FLEET_URL: `http://127.0.0.1:${port}` }, 'audit', '--follow')
  server.close()
  equal(
    out.split('\n').map(line => line.slice(-5)),
    ['job 1', 'job 2', ''],
  )
  equal(asked, [null, '2026-09.1', '2026-09.1', '2026-09.1', '2026-09.2'])
  match(error, /; connecting again\nfleet: enough\n$/)
  is(code, 1)
})

test('Ctrl-C ends --follow with exit code 0', async () => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"audit":[],"next":"2026-09.0"}')
    setImmediate(() => process.emit('SIGINT'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a server that listens on a port.
  const { port } = server.address() as AddressInfo
  is((await fleetWith({ FLEET_URL: `http://127.0.0.1:${port}` }, 'audit', '--follow')).code, 0)
  server.close()
})

test('fleet jobs and fleet job show who asked', async () => {
  match((await fleet('jobs')).out, /poweroff +request +token lab /)
  match((await fleet('job', '1')).out, /by a request of token lab from 127\.0\.0\.1/)
})

test.run()
