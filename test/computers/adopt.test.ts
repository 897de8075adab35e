// POST /client/adopt: records for connected clients that have none, all or none.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { sayHello } from '../harness/hello.ts'
import { startTestHost } from '../harness/test-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'adopt-'))
const table = join(folder, 'arp')
const neighbours = [3, 4].map(last => `127.0.35.${last}  0x1  0x2  00:1b:21:00:00:0${last}  *  eth0\n`)
writeFileSync(table, neighbours.join(''))
const lab = await startTestHost({ neighbourTable: table, options: { boot: { output: join(folder, 'boot') } } })
const known = '127.0.35.250'
await lab.addComputer(known)

const disk = { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '1000', used_size: '0' }
const refreshed = {
  status: 200,
  body: { disk_setup: [disk], partition_setup: [], serial_number: 'FROM-AGENT', link: 1000 },
}

/** A client that has connected and introduced itself. */
async function introduced(addr: string, hello: object, auto: object = { '/refresh': refreshed }) {
  const agent = await lab.agent(addr, { auto: { ...auto } })
  const read = lab.event('client-hello', { addr })
  sayHello(agent, hello)
  await read
  return agent
}

const adopt = (payload: object) => lab.call('POST /client/adopt', { room: 1, ...payload })
const record = async (addr: string) => (await lab.call('GET /client/info', { client: [addr] })).json
const addresses = async (): Promise<string[]> =>
  (await lab.call('GET /scopes')).json.scope[0].scope[0].scope.map(({ ip }: { ip: string }) => ip)

async function expectRefused(payload: object, reason: RegExp): Promise<void> {
  const before = await addresses()
  const { status, headers } = await adopt(payload)
  is(status, 400)
  match(String(headers['x-reason']), reason)
  equal(await addresses(), before)
}

const test = suite('POST /client/adopt')
test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true })
})

test('a client becomes a computer with the name, hardware address and serial number of its hello', async () => {
  const addr = '127.0.35.1'
  const first = lab.event('command-ended', { addr, command: 'refresh' })
  const agent = await introduced(addr, { name: 'pc-1', mac: '00:1B:21:0A:0B:01', serial: 'SN-1' })
  await first
  const added = lab.event('computer-added')
  const ended = lab.event('command-ended', { addr, command: 'refresh' })
  const { status, headers, text } = await adopt({ clients: [addr] })
  equal([status, text], [200, ''])
  equal((await added).computers, [{ ip: addr, room: 1 }])
  const { id, name, mac, serial_number, room, boot, netmask } = await record(addr)
  is(Number(headers['x-id']), id)
  equal([name, mac, serial_number, room, boot], ['pc-1', '001b210a0b01', 'SN-1', 1, 'pxe'])
  is(netmask, '255.255.255.0')
  is(existsSync(join(folder, 'boot/menu.lst/01-00-1B-21-0A-0B-01')), true)
  equal((await lab.call('GET /pending')).json, { pending: [] })
  await ended
  is(agent.requests.filter(({ path }) => path === '/refresh').length, 2)
  is((await lab.call('GET /client/setup', { client: [addr] })).json.partitions.length, 1)
})

test('the names and hardware addresses of the request precede those of the agent', async () => {
  const addr = '127.0.35.2'
  await introduced(addr, { name: 'wrong', mac: '001b210a0b99' })
  await adopt({ clients: [addr], names: { [addr]: 'pc-2' }, macs: { [addr]: '00-1b-21-0a-0b-02' } })
  const { name, mac } = await record(addr)
  equal([name, mac], ['pc-2', '001b210a0b02'])
})

test('many are adopted at once, with hardware addresses of the neighbour table', async () => {
  const clients = ['127.0.35.3', '127.0.35.4']
  await lab.agent('127.0.35.3')
  await introduced('127.0.35.4', { name: 'pc-4' })
  is((await adopt({ clients, names: { '127.0.35.3': 'pc-3' } })).status, 200)
  equal(
    (await Promise.all(clients.map(record))).map(({ name, mac }) => [name, mac]),
    [
      ['pc-3', '001b21000003'],
      ['pc-4', '001b21000004'],
    ],
  )
})

test('all or none: what keeps one client from getting a record keeps the others, too', async () => {
  await introduced('127.0.35.5', { name: 'pc-5', mac: '001b210a0b05' })
  await introduced('127.0.35.6', { mac: '001b210a0b06' })
  await introduced('127.0.35.7', { name: 'pc-7' })
  const clients = ['127.0.35.5', '127.0.35.6', '127.0.35.7']
  await expectRefused(
    { clients },
    /^127\.0\.35\.6: expected a name, of which its agent says none \(fleet adopt --name\); and 1 more$/,
  )
  const names = { '127.0.35.6': 'pc-6' }
  await expectRefused({ clients, names }, /^127\.0\.35\.7: expected a hardware address, which neither its agent/)
  is((await adopt({ clients, names, macs: { '127.0.35.7': '001b210a0b07' } })).status, 200)
  equal((await addresses()).slice(-3), clients)
})

test('refused: a client with a record or without a connection, an unknown room, an address that is not listed', async () => {
  const addr = '127.0.35.8'
  await introduced(addr, { name: 'pc-8', mac: '001b210a0b08' })
  await expectRefused({ clients: [known] }, /^127\.0\.35\.250: it has a record$/)
  await expectRefused({ clients: ['127.0.35.99'] }, /^127\.0\.35\.99: it is not connected$/)
  await expectRefused({ clients: [addr], room: 77 }, /^127\.0\.35\.8: there is no room 77$/)
  await expectRefused(
    { clients: [addr], names: { '127.0.35.1': 'x' } },
    /^names: expected addresses of clients, got 127/,
  )
  await expectRefused({ clients: [addr], names: { [addr]: '' } }, /names/)
  await expectRefused({ clients: [addr], macs: { [addr]: 'mac' } }, /macs\/127\.0\.35\.8|macs.*12 hex digits/)
  await expectRefused({ clients: [addr], names: { 'pc-8': 'x' } }, /names/)
})

test('refused: a name or hardware address that another computer has, stored or of the same request', async () => {
  const stored = await record(known)
  await introduced('127.0.35.9', { name: 'pc-9', mac: stored.mac.toUpperCase() })
  await expectRefused(
    { clients: ['127.0.35.9'] },
    /^127\.0\.35\.9: its hardware address \w+ is that of \S+ \(127\.0\.35\.250\); if it is that computer: fleet computer edit 127\.0\.35\.250 --ip 127\.0\.35\.9$/,
  )
  await introduced('127.0.35.10', { name: stored.name, mac: '001b210a0b10' })
  await expectRefused({ clients: ['127.0.35.10'] }, /^127\.0\.35\.10: the name \S+ is that of 127\.0\.35\.250$/)
  await introduced('127.0.35.11', { name: 'pc-11', mac: '001b210a0b11' })
  await introduced('127.0.35.12', { name: 'PC-11', mac: '001b210a0b12' })
  await expectRefused(
    { clients: ['127.0.35.11', '127.0.35.12'] },
    /^127\.0\.35\.12: the name PC-11 is that of 127\.0\.35\.11$/,
  )
})

test('the refresh of a busy client is sent when its command has ended', async () => {
  const addr = '127.0.35.13'
  const first = lab.event('command-ended', { addr, command: 'refresh' })
  const agent = await introduced(addr, { name: 'pc-13', mac: '001b210a0b13' })
  await first
  await lab.call('POST /shell/run', { clients: [addr], run: 'true', echo: true })
  await agent.next('/shell/run')
  is((await adopt({ clients: [addr] })).status, 200)
  const ended = lab.event('command-ended', { addr, command: 'refresh' })
  agent.answer(200)
  is((await ended).result, 'success')
  is((await record(addr)).serial_number, 'FROM-AGENT')
})

test('a hardware address that differs from that of the network is reported after the adoption', async () => {
  const addr = '127.0.35.14'
  writeFileSync(table, `${addr}  0x1  0x2  00:1b:21:00:00:14  *  eth0\n`)
  await introduced(addr, { name: 'pc-14', mac: '001b210a0b14' })
  const differs = lab.event('mac-differs', { addr })
  is((await adopt({ clients: [addr] })).status, 200)
  equal([(await differs).mac, (await differs).recorded_mac], ['001b21000014', '001b210a0b14'])
})

test('a limited admin and an operator cannot adopt', async () => {
  for (const [name, role, limits, status] of [
    ['limited', 'admin', { rooms: [1] }, 403],
    ['operator', 'operate', {}, 403],
  ] as const) {
    const { json } = await lab.call('POST /token/add', { name, role, ...limits })
    const payload = { clients: ['127.0.35.8'], room: 1 }
    is((await lab.call('POST /client/adopt', payload, { Authorization: json.token })).status, status, name)
  }
  is((await addresses()).includes('127.0.35.8'), false)
})

test.run()
