// What agents say of their computers, GET /pending, and the events of clients without a record.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { message } from '../../host/test-kit/agent-http.ts'
import { readEvents } from '../harness/event-reader.ts'
import { sayHello } from '../harness/hello.ts'
import { inside, startLab } from '../harness/lab.ts'
import { startTestHost } from '../harness/test-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'pending-clients-'))
const table = join(folder, 'arp')
const line = (addr: string, mac: string, device = 'eth0') => `${addr}  0x1  0x2  ${mac}  *  ${device}\n`
writeFileSync(
  table,
  line('127.0.34.5', '00:1b:21:00:00:05') +
    line('127.0.34.6', '00:1b:21:00:00:06') +
    line('127.0.34.6', '00:1b:21:00:00:66', 'eth1'),
)
const lab = await startLab({ scope: true, neighbourTable: table })
const { addToken } = lab
const [known = ''] = inside
const pending = async () => (await lab.call('GET /pending')).json.pending
const entry = async (addr: string) => (await pending()).find(({ client }: { client: string }) => client === addr)

/** Introduces the client and waits until the daemon has read it. */
async function introduce(agent: Awaited<ReturnType<typeof lab.agent>>, values: object): Promise<void> {
  const read = lab.event('client-hello', { addr: agent.addr })
  sayHello(agent, values)
  await read
}

const test = suite('pending clients')
test.after(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true })
})

test('a connected client without a record is pending, one with a record and one that has gone are not', async () => {
  await lab.agent(known)
  equal(await pending(), [])
  const agent = await lab.agent('127.0.34.1')
  const [{ client, since, ...others }] = await pending()
  equal([client, others], ['127.0.34.1', {}])
  ok(Math.abs(Date.parse(since) - Date.now()) < 60_000)
  const gone = lab.event('client-gone', { addr: client })
  await agent.close()
  await gone
  equal(await pending(), [])
})

test('a pending client has what its agent has said, unknown keys ignored', async () => {
  const agent = await lab.agent('127.0.34.2')
  const hello = { name: 'pc-2', mac: '00:1B:21-0a0B0c', serial: 'SN 1', os: 'Debian 13', agent: 'fleet-agent 1.0' }
  await introduce(agent, { ...hello, colour: 'red', since: 'never' })
  const { since: _, ...values } = await entry(agent.addr)
  equal(values, { client: agent.addr, ...hello, mac: '001b210a0b0c' })
  is((await lab.call('GET /clients')).json.clients[0].last_cmd.result, 'success')
})

test('values are printable and limited in length, and those that cannot be used are left out', async () => {
  const agent = await lab.agent('127.0.34.3')
  await introduce(agent, {
    name: `\u001b[2J\u202e${'x'.repeat(200)}`,
    mac: '00:00:00:00:00:00',
    serial: 7,
    os: 'y'.repeat(9000),
    agent: ' \n ',
  })
  const { name, os, ...others } = await entry(agent.addr)
  equal([name, os.length], [`[2J${'x'.repeat(58)}`, 100])
  equal(Object.keys(others), ['client', 'since'])
  for (const mac of ['001b210a0b0', '001b210a0b0c0d', 'zz1b210a0b0c', ['001b210a0b0c']]) {
    const other = await lab.agent('127.0.34.4')
    await introduce(other, { mac })
    is((await entry(other.addr)).mac, undefined, String(mac))
  }
})

test('the hardware address of a silent agent is that of the neighbour table, if it has only one', async () => {
  for (const addr of ['127.0.34.5', '127.0.34.6']) await lab.agent(addr)
  is((await entry('127.0.34.5')).mac, '001b21000005')
  is((await entry('127.0.34.6')).mac, undefined)
})

test('of many hellos of an agent the first one counts at once, and the newest of each second updates it', async () => {
  const events: FleetEvent[] = []
  const stop = lab.host.events.on(event => events.push(event), ['client-hello'])
  const agent = await lab.agent('127.0.34.7')
  const last = new Promise<void>(resolve => {
    lab.host.events.on(
      event => {
        if (event.type === 'client-hello' && event.hello.name === 'last') resolve()
      },
      ['client-hello'],
    )
  })
  const hellos = Array.from({ length: 1000 }, (_, index) => message(103, { event: 'hello', name: `pc-${index}` }))
  agent.send(hellos.join('') + message(103, { event: 'hello', name: 'last' }))
  await last
  stop()
  equal(
    events.map(event => event.type === 'client-hello' && event.hello.name),
    ['pc-0', 'last'],
  )
  is((await entry(agent.addr)).name, 'last')
})

test('a hello that equals the one before it is no event, and another 103 is ignored with a line in the log', async () => {
  const agent = await lab.agent('127.0.34.8')
  await introduce(agent, { name: 'same' })
  const event = lab.event('client-hello', { addr: agent.addr })
  sayHello(agent, { name: 'same' })
  sayHello(agent, { name: 'other' })
  is((await event).hello.name, 'other')
  agent.send(message(103, { event: 'farewell' }))
  match(await lab.logged(/127\.0\.34\.8: 103 ignored/), /expected a session event or a hello, got \{"event":"farewell"/)
})

test('a client that gets a record is pending no more, and is again when the record is deleted', async () => {
  const agent = await lab.agent('127.0.34.9')
  await introduce(agent, { name: 'pc-9' })
  await lab.addComputer(agent.addr)
  is(await entry(agent.addr), undefined)
  await lab.call('POST /client/delete', { clients: [agent.addr] })
  is((await entry(agent.addr)).name, 'pc-9')
})

test('client-pending is an event at the connection and at the hello, with the name only', async () => {
  const reader = await readEvents(lab.host.ports.rest, '?type=client')
  const agent = await lab.agent('127.0.34.10')
  const first = await reader.first({ type: 'client-pending', clients: [agent.addr] })
  is(first.name, undefined)
  ok(first.id > (await reader.first({ type: 'client-connected', clients: [agent.addr] })).id)
  sayHello(agent, { name: 'pc-10', serial: 'secret serial' })
  await reader.first({ type: 'client-pending', clients: [agent.addr], name: 'pc-10' })
  ok(!reader.text().includes('secret serial'))
  is(
    reader.events.some(event => event.type === 'client-hello'),
    false,
  )
  reader.close()
})

test('GET /pending needs the role operate, and a limited caller gets an empty list', async () => {
  const unlimited = {}
  is(await (await addToken('reader', 'read', unlimited)).status('GET /pending'), 403)
  is((await (await addToken('operator', 'operate', unlimited)).call('GET /pending')).json.pending.length > 0, true)
  equal((await (await addToken('limited', 'admin')).call('GET /pending')).json, { pending: [] })
})

test('GET /agents has the clients of each version, also those with a record, and for a limited caller only its own', async () => {
  const [own = '', other = ''] = [known, '127.0.34.31']
  const agents = await Promise.all([own, other].map(addr => lab.agent(addr)))
  for (const agent of agents) await introduce(agent, { agent: 'test 7.0' })
  const clientsOf = (list: { agent: string; clients: string[] }[]) =>
    list.find(({ agent }) => agent === 'test 7.0')?.clients
  const { current, agents: list } = (await lab.call('GET /agents')).json
  match(current, /^fleet-agent \d+\.\d+\.\d+$/)
  equal(clientsOf(list), [own, other])
  const limited = await addToken('limited reader', 'read')
  equal(clientsOf((await limited.call('GET /agents')).json.agents), [own])
  for (const agent of agents) agent.destroy()
})

test('a list that is longer than a response may be has the first ones and the number of the others', async () => {
  const small = await startTestHost({ options: { limits: { response: 1700 } } })
  for (let last = 1; last <= 5; last += 1) {
    const agent = await small.agent(`127.0.38.${last}`)
    const read = small.event('client-hello')
    sayHello(agent, { name: `pc-${last}`, os: 'ü'.repeat(100) })
    await read
  }
  const { status, json } = await small.call('GET /pending')
  equal([status, json.pending.length, json.omitted], [200, 2, 3])
  is(json.pending[0].client, '127.0.38.1')
  await small.stop()
})

test('clients whose connections are refused are listed with the reason until they connect', async () => {
  const strict = await startTestHost({ options: { agents: { ip: '0.0.0.0', port: 0, allow: 'known' } } })
  const addr = '127.0.38.9'
  const refused = strict.event('client-refused', { addr })
  const agent = await strict.agent(addr, { auto: false })
  await refused
  const { json } = await strict.call('GET /pending')
  const [{ since, last, ...entry }] = json.refused
  equal(entry, { client: addr, reason: 'it has no computer record (agents.allow)', count: 1 })
  equal([json.pending, json.refused_connections, since, last < new Date().toISOString()], [[], 1, last, true])
  agent.destroy()
  await strict.addComputer(addr)
  await strict.agent(addr)
  equal((await strict.call('GET /pending')).json, { pending: [] })
  await strict.stop()
})

test('commands for connected clients are sent also to those without a record', async () => {
  const agent = await lab.agent('127.0.34.11')
  await lab.call('POST /shell/run', { clients: [agent.addr], run: 'true', echo: true })
  await agent.next('/shell/run')
  agent.answer(200)
})

test.run()
